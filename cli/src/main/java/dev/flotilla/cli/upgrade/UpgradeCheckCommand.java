package dev.flotilla.cli.upgrade;

import dev.flotilla.cli.command.CommandGroup;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.DecisionReplay;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.DurationFormat;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla upgrade check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks whether this version can take over a fleet from the version that runs it. Changes nothing.",
            "Makes the decisions of the last days in the journal again, and lists each that this version would make"
                    + " in another way. Each is"
                    + " made on what had really happened before it, so that one difference does not cause others. Decisions"
                    + " that follow directly"
                    + " from a worker's report are not compared: the journal does not have the reports.",
            "Also reads all tables, and lists the rows that this version cannot read.",
            "Exit codes: 0 this version decides the same; 1 decisions differ, or something cannot be read; 2 wrong"
                    + " usage; 3 no broker reachable."
        })
public final class UpgradeCheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--since",
            paramLabel = "AGE",
            description = "Age of the oldest decision to make again, such as 7d or 36h. Default: ${DEFAULT-VALUE}.")
    private String since = "7d";

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Number of differences to list; the others are counted. Default: ${DEFAULT-VALUE}.")
    private int limit = 100;

    @Option(
            names = "--accept-differences",
            description = "End with exit code 0 although decisions differ. What cannot be read still ends with 1.")
    private boolean accepted;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private UpgradeCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new UpgradeCheckCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla upgrade check",
                "flotilla upgrade check --since 30d",
                "flotilla upgrade check --output json");
        return command;
    }

    /** Makes the group of commands about an upgrade of Flotilla itself. */
    public static CommandLine group(Terminal terminal) {
        CommandLine group =
                CommandGroup.of("upgrade", "Check what an upgrade of Flotilla itself would change.", terminal);
        group.addSubcommand(of(terminal));
        HelpExamples.set(group, "flotilla upgrade check");
        return group;
    }

    @Override
    public Integer call() {
        Duration age = DurationFormat.parse(since);
        if (age == null) {
            return connection.reportUsageErrors(
                    terminal,
                    List.of("--since \"" + since + "\" is not an age: write a number and s, m, h or d, such as 7d"));
        }
        if (limit < 0) {
            return connection.reportUsageErrors(terminal, List.of("--limit " + limit + " must be at least 0"));
        }
        return connection.run(terminal, kafka -> check(kafka, age));
    }

    private int check(FleetKafkaClient kafka, Duration age) {
        TableSnapshot tables = kafka.readAll();
        FleetHead head = tables.head();
        Instant from = Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(age);
        UpgradeCheckReport report = new UpgradeCheckReport(from, limit);
        report.addTables(tables);
        DecisionReplay replay = new DecisionReplay(FleetDecider.standard(), from, report::addDifference);
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            new JournalChapterIndex(reader).findChapterBefore(head, from);
            JournalReader.readAll(reader, consumedRecord -> {
                switch (WireRecordCodec.decode(consumedRecord.record())) {
                    case DecodeResult.Accepted<RowChange> accepted -> {
                        if (!(accepted.value() instanceof JournalRecord journalRecord)) {
                            throw new IllegalStateException(
                                    "the journal has a row of another table: " + accepted.value());
                        }
                        report.beginRecord(consumedRecord.offset(), journalRecord);
                        replay.replayRecord(journalRecord);
                    }
                    case DecodeResult.Rejected<RowChange> rejected -> {
                        report.addUnreadableRecord(consumedRecord.offset(), rejected.firstRejection());
                        replay.skipUnreadableRecord();
                    }
                }
            });
        }
        replay.finishReplay(Instant.now().truncatedTo(ChronoUnit.MILLIS));
        report.finish(replay);
        output.print(terminal, report::lines, report::json);
        return report.isGood(accepted) ? ExitCode.DONE : ExitCode.NO;
    }
}
