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
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalPositionFinder;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
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
        description = {
            "Shows the latest decisions and their reasons.",
            "It reads only the end of the journal. With --follow it goes on with each decision that is made from then on,"
                    + " until Ctrl-C.",
            "Exit codes: 0 done, 2 wrong usage, 3 no broker reachable, 130 ended by Ctrl-C."
        })
public final class JournalTailCommand implements Callable<Integer> {
    private static final TablePartition JOURNAL = JournalReader.journalPartition();
    private static final int USUAL = 20;
    private static final int MOST = 100_000;
    private static final Duration POLL = Duration.ofMillis(500);

    private final Terminal terminal;

    @Option(names = "--since", paramLabel = "SEQ", description = "First record to show. Default: the last 20.")
    private @Nullable Long since;

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Print new records as they come, one a line; with --output json one JSON object a line. Waits while no"
                            + " broker is reachable.")
    private boolean follow;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    /** The offset after the last record that was read before following. */
    private long nextOffset;

    /** Records after the first that were wanted and are not shown. */
    private long leftOut;

    private JournalTailCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalTailCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla journal tail",
                "flotilla journal tail --since 1200 --output json",
                "flotilla journal tail --follow");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::tail);
    }

    private int tail(FleetKafkaClient kafka) {
        kafka.sites();
        try (PartitionReader reader = kafka.reader(JOURNAL)) {
            List<JournalRecord> latest = readLatest(reader);
            TextTable table = new TextTable("SEQ", "TIME", "EVENT", "SUBJECT", "REASON");
            latest.forEach(record -> table.row(cells(record)));
            if (!follow) {
                output.print(
                        terminal,
                        table::lines,
                        () -> new JsonObjectReader.Builder()
                                .put("records", JsonFormatter.list(toJson(latest)))
                                .build());
                return ExitCode.DONE;
            }
            output.printLines(terminal, table::lines, () -> toJson(latest));
            reader.seek(JOURNAL, nextOffset);
            printNewRecords(reader, table);
            return ExitCode.DONE;
        } catch (KafkaFailure failure) {
            if (!follow || !Thread.currentThread().isInterrupted()) {
                throw failure;
            }
            return ExitCode.INTERRUPTED;
        }
    }

    /** Reads the records to show at once. */
    private List<JournalRecord> readLatest(PartitionReader reader) {
        JournalPositionFinder finder = new JournalPositionFinder(reader);
        if (since == null) {
            finder.findLast(USUAL);
        } else {
            finder.findRecord(since);
        }
        nextOffset = reader.nextOffset(JOURNAL);
        Deque<JournalRecord> latest = new ArrayDeque<>();
        JournalReader.readAll(reader, consumedRecord -> {
            nextOffset = consumedRecord.offset() + 1;
            JournalRecord record = JournalReader.decodeRecord(consumedRecord);
            if (record != null && isWanted(record)) {
                latest.addLast(record);
                if (latest.size() > (since == null ? USUAL : MOST)) {
                    latest.removeFirst();
                    leftOut++;
                }
            }
        });
        if (since != null && leftOut > 0) {
            terminal.note("only the newest " + MOST + " records are shown; " + leftOut
                    + " before them are left out: `flotilla journal export` has all");
        }
        return List.copyOf(latest);
    }

    private boolean isWanted(JournalRecord record) {
        return since == null || record.seq() >= since;
    }

    /** Prints records as they come, until its thread is interrupted or nobody reads the output any more. */
    private void printNewRecords(PartitionReader reader, TextTable table) {
        while (!terminal.out().checkError()) {
            for (ConsumedRecord consumedRecord : reader.poll(POLL)) {
                JournalRecord record = JournalReader.decodeRecord(consumedRecord);
                if (record != null && isWanted(record)) {
                    output.printLines(
                            terminal,
                            () -> List.of(table.formatLater(cells(record))),
                            () -> List.of(RowJson.toJson(record)));
                }
            }
        }
    }

    private static String[] cells(JournalRecord record) {
        return new String[] {
            Long.toString(record.seq()),
            record.decidedAt().toString(),
            record.event(),
            record.subject(),
            record.reason()
        };
    }

    private static List<JsonValue> toJson(List<JournalRecord> records) {
        return records.stream().map(RowJson::toJson).toList();
    }
}
