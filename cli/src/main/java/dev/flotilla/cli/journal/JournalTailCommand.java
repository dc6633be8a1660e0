package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.JournalRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla journal tail}. */
@Command(
        name = "tail",
        aliases = "show",
        mixinStandardHelpOptions = true,
        description = "Shows the latest decisions and their reasons.")
public final class JournalTailCommand implements Callable<Integer> {
    private static final int USUAL = 20;
    private static final int MOST = 100_000;

    private final Terminal terminal;

    @Option(names = "--since", paramLabel = "SEQ", description = "First record to show. Default: the last 20.")
    private @Nullable Long since;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalTailCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalTailCommand(terminal));
        HelpExamples.set(command, "flotilla journal tail", "flotilla journal tail --since 1200 --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::tail);
    }

    private int tail(FleetKafkaClient kafka) {
        kafka.sites();
        Deque<JournalRecord> records = new ArrayDeque<>();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalReader.readAll(reader, consumedRecord -> {
                JournalRecord record = JournalReader.decodeRecord(consumedRecord);
                if (record != null && (since == null || record.seq() >= since)) {
                    records.addLast(record);
                    if (records.size() > (since == null ? USUAL : MOST)) {
                        records.removeFirst();
                    }
                }
            });
        }
        List<JournalRecord> shown = List.copyOf(records);
        output.print(
                terminal,
                () -> {
                    TextTable table = new TextTable("SEQ", "TIME", "EVENT", "SUBJECT", "REASON");
                    shown.forEach(record -> table.row(
                            Long.toString(record.seq()),
                            record.decidedAt().toString(),
                            record.event(),
                            record.subject(),
                            record.reason()));
                    return table.lines();
                },
                () -> new JsonObjectReader.Builder()
                        .put(
                                "records",
                                JsonFormatter.list(
                                        shown.stream().map(RowJson::toJson).toList()))
                        .build());
        return ExitCode.DONE;
    }
}
