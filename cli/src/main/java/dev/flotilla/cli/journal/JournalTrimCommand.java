package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.LogTrimmer;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalChapterIndex.ChapterPosition;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.json.codec.DurationFormat;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.FleetHead;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla journal trim}. */
@Command(
        name = "trim",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes journal chapters older than AGE. Always keeps the newest complete chapter.",
            "Needs an administrator's right to delete records, which the orchestrator does not have. Run it"
                    + " regularly, as a job."
        })
public final class JournalTrimCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            description = "Age, such as 400d or 36h. Default:" + " ${DEFAULT-VALUE}.")
    private String olderThan = "400d";

    @Option(names = "--dry-run", description = "Print what would be deleted, and delete nothing.")
    private boolean dryRun;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalTrimCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalTrimCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla journal trim --dry-run",
                "flotilla journal trim --older-than 400d --config administrator.yaml");
        return command;
    }

    @Override
    public Integer call() {
        Duration age = DurationFormat.parse(olderThan);
        return age == null
                ? connection.reportUsageErrors(
                        terminal,
                        List.of("--older-than \"" + olderThan + "\" is not an age: write a number and s, m, h or d,"
                                + " such as 400d"))
                : connection.run(terminal, kafka -> trim(kafka, age));
    }

    private int trim(FleetKafkaClient kafka, Duration age) {
        kafka.sites();
        FleetHead head = kafka.read(List.of()).head();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            long beginning = JournalReader.beginning(reader);
            ChapterPosition known = findOldestNeeded(
                    new JournalChapterIndex(reader).listChapters(head),
                    Instant.now().minus(age));
            ChapterPosition kept = known != null && known.offset() > beginning ? known : null;
            if (kept != null && !dryRun) {
                try (LogTrimmer trimmer = kafka.trimmer()) {
                    trimmer.deleteRecordsBefore(JournalReader.journalPartition(), kept.offset());
                }
            }
            output.print(terminal, () -> List.of(line(kept)), () -> json(kept));
            return ExitCode.DONE;
        }
    }

    /** The newest chapter that had started by an instant; it and later chapters cover everything since. */
    private static @Nullable ChapterPosition findOldestNeeded(List<ChapterPosition> newestFirst, Instant instant) {
        return newestFirst.stream()
                .filter(chapter -> !chapter.begunAt().isAfter(instant))
                .findFirst()
                .orElse(null);
    }

    private String line(@Nullable ChapterPosition kept) {
        return kept == null
                ? "no chapter is older than " + olderThan + ": nothing to delete"
                : (dryRun ? "would delete" : "deleted") + " all records before " + kept.seq() + ", where the oldest"
                        + " kept chapter starts ("
                        + kept.begunAt() + ")";
    }

    private JsonObjectReader json(@Nullable ChapterPosition kept) {
        return new JsonObjectReader.Builder()
                .put("dryRun", dryRun)
                .put(
                        "keptFrom",
                        kept == null
                                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                                : new JsonValue.JsonInteger(kept.seq(), JsonValue.NO_LINE))
                .build();
    }
}
