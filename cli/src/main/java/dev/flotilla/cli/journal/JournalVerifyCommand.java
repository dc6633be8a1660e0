package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.FleetHead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla journal verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Verifies the hash chain of the journal and the checkpoint of each chapter.",
            "An intact chain shows that no record was changed, removed or inserted. A checkpoint must equal the rows"
                    + " to which the",
            "chapter before it leads. Reads all of the journal that is kept, and keeps one hash in memory for each"
                    + " row.",
            "Exit codes: 0 the journal is intact, 1 it is not, 2 wrong usage, 3 no broker reachable."
        })
public final class JournalVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalVerifyCommand(terminal));
        HelpExamples.set(command, "flotilla journal verify", "flotilla journal verify --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::verify);
    }

    private int verify(FleetKafkaClient kafka) {
        kafka.sites();
        // The head is read first, so that the journal read after it contains at least the records that the head names.
        FleetHead head = kafka.read(List.of()).head();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalVerifier verifier = new JournalVerifier(JournalReader.beginning(reader) == 0, head);
            JournalReader.readAll(reader, verifier::verifyRecord);
            JournalVerificationResult verdict = verifier.finishVerification();
            output.print(terminal, () -> lines(verdict), () -> json(verdict));
            return verdict.holds() ? ExitCode.DONE : ExitCode.NO;
        }
    }

    private static List<String> lines(JournalVerificationResult verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(
                verdict.isIntact()
                        ? verdict.records() + " records, from " + verdict.firstSeq() + " to " + verdict.lastSeq()
                                + ": the chain is intact"
                        : verdict.records() + " records: the chain is broken at " + verdict.firstBroken() + ": "
                                + verdict.brokenReason());
        if (verdict.firstSeq() > 1) {
            lines.add("records before " + verdict.firstSeq() + " were deleted and are not verified");
        }
        if (!verdict.chapters().isEmpty()) {
            TextTable table = new TextTable("CHAPTER", "STARTED", "ROWS", "AGAINST THE ONE BEFORE");
            verdict.chapters()
                    .forEach(chapter -> table.row(
                            Long.toString(chapter.seq()),
                            chapter.begunAt().toString(),
                            Long.toString(chapter.rows()),
                            compared(chapter)));
            lines.addAll(table.lines());
            verdict.chapters().forEach(chapter -> lines.addAll(chapter.differences()));
        }
        lines.addAll(verdict.problems());
        return lines;
    }

    private static String compared(ChapterVerificationResult chapter) {
        StringBuilder text = new StringBuilder(chapter.comparison().label());
        if (chapter.differentRows() > 0) {
            text.append(" in ").append(chapter.differentRows()).append(" rows");
        }
        if (chapter.excusedRows() > 0) {
            text.append(", except ").append(chapter.excusedRows()).append(" of suspended sites or unreadable keys");
        }
        if (!chapter.excludedSites().isEmpty()) {
            text.append(", without ").append(chapter.excludedSites());
        }
        return text.toString();
    }

    private static JsonObjectReader json(JournalVerificationResult verdict) {
        Long broken = verdict.firstBroken();
        return new JsonObjectReader.Builder()
                .put("records", verdict.records())
                .put("chain", broken == null ? "intact" : "broken")
                .put(
                        "firstBroken",
                        broken == null
                                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                                : new JsonValue.JsonInteger(broken, JsonValue.NO_LINE))
                .put("from", verdict.firstSeq())
                .put("to", verdict.lastSeq())
                .put(
                        "chapters",
                        JsonFormatter.list(verdict.chapters().stream()
                                .map(JournalVerifyCommand::json)
                                .toList()))
                .put("problems", JsonFormatter.texts(verdict.problems()))
                .build();
    }

    private static JsonValue json(ChapterVerificationResult chapter) {
        return new JsonObjectReader.Builder()
                .put("seq", chapter.seq())
                .put("startedAt", chapter.begunAt().toString())
                .put("checkpointRows", chapter.rows())
                .put("compared", chapter.comparison().label())
                .put("mismatches", chapter.differentRows())
                .put("excusedMismatches", chapter.excusedRows())
                .put(
                        "excludedSites",
                        JsonFormatter.texts(chapter.excludedSites().stream()
                                .map(SiteId::name)
                                .toList()))
                .put("differences", JsonFormatter.texts(chapter.differences()))
                .build();
    }
}
