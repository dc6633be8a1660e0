package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.row.JournalRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla journal export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the journal as JSON Lines, each record byte for byte as it is stored.",
            "`previous` chains a record to the one before it. --since and --until limit the range.",
            "Exit codes: 0 all records written, 1 a record is unreadable and the rest was written, 2 wrong usage, 3"
                    + " no broker"
                    + " reachable."
        })
public final class JournalExportCommand implements Callable<Integer> {
    /** Records between two progress lines. */
    private static final long PROGRESS_INTERVAL = 100_000;

    private final Terminal terminal;

    @Option(
            names = "--since",
            paramLabel = "SEQ",
            description = "First record to write. Default: the oldest that is kept.")
    private long since;

    @Option(names = "--until", paramLabel = "SEQ", description = "Last record to write. Default: the newest.")
    private long until = Long.MAX_VALUE;

    @Option(names = "--file", paramLabel = "FILE", description = "New file to write to. Default: stdout.")
    private @Nullable Path file;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private JournalExportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalExportCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla journal export --file journal.jsonl",
                "flotilla journal export --since 1200 --until 1300");
        return command;
    }

    @Override
    public Integer call() {
        if (file != null && Files.exists(file)) {
            return connection.reportUsageErrors(
                    terminal, List.of("--file " + file + " exists already: name a new file"));
        }
        return connection.run(terminal, this::export);
    }

    private int export(FleetKafkaClient kafka) {
        kafka.sites();
        if (file == null) {
            ExportProgress written = write(kafka, terminal.out());
            terminal.out().flush();
            return reportEnd(written);
        }
        // Renamed when complete, so that a file of the given name is always complete.
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            ExportProgress written;
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(part, StandardCharsets.UTF_8))) {
                written = write(kafka, out);
                if (out.checkError()) {
                    throw new IOException("writing failed; is the disk full?");
                }
            }
            Files.move(part, file);
            return reportEnd(written);
        } catch (IOException e) {
            return connection.reportNegativeAnswer(
                    terminal, "--file " + file + " cannot be written: " + e.getMessage());
        }
    }

    private ExportProgress write(FleetKafkaClient kafka, PrintWriter out) {
        ExportProgress written = new ExportProgress();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalReader.readWhile(reader, consumedRecord -> {
                JournalRecord record = JournalReader.decodeRecord(consumedRecord);
                if (record == null) {
                    written.unreadable++;
                    terminal.note(connection.commandName() + ": the record at offset " + consumedRecord.offset() + " is"
                            + " unreadable");
                } else if (record.seq() > until) {
                    return false;
                } else if (record.seq() >= since) {
                    out.println(text(consumedRecord));
                    written.take(record);
                    if (written.records % PROGRESS_INTERVAL == 0) {
                        terminal.note(written.records + " records, up to seq " + written.last);
                    }
                }
                return true;
            });
        }
        return written;
    }

    private static String text(ConsumedRecord consumedRecord) {
        byte[] value = consumedRecord.record().value();
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    private int reportEnd(ExportProgress written) {
        terminal.note(
                written.records == 0
                        ? "no record"
                        : written.records + " records, seq " + written.first + " to " + written.last);
        return written.unreadable == 0 ? ExitCode.DONE : ExitCode.NO;
    }

    /** Counts of what was written so far. */
    private static final class ExportProgress {
        private long records;
        private long unreadable;
        private long first;
        private long last;

        void take(JournalRecord record) {
            first = records == 0 ? record.seq() : first;
            last = record.seq();
            records++;
        }
    }
}
