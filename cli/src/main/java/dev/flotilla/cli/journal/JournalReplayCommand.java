package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.file.FileProblemFormatter;
import dev.flotilla.cli.file.TextFileResult;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.DecisionDifference;
import dev.flotilla.orchestrator.journal.DecisionReplay;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.PolicyWhatIfReplay;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla journal replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Replays the inputs of the journal and decides again. Changes nothing.",
            "Without --policy it compares: does this version decide as the version that wrote the journal? Worker"
                    + " reports are",
            "taken as recorded. With --policy it shows which starts would have waited, at which gate, and which would"
                    + " have come",
            "sooner. Each start is evaluated on what had really happened before it, so that differences do not add up.",
            "Exit codes: 0 no difference, or policies compared; 1 this version decides differently, or a record is"
                    + " unreadable;"
                    + " 2 wrong usage; 3 no broker reachable."
        })
public final class JournalReplayCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description =
                    "Policy of the fleet or a site to apply from the beginning, instead of the recorded one. May be"
                            + " repeated.")
    private List<String> files = new ArrayList<>();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalReplayCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalReplayCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla journal replay",
                "flotilla journal replay --policy examples/policies/fleet.yaml",
                "flotilla journal replay --policy examples/policies/fleet.yaml --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        List<UpgradePolicy> policies = new ArrayList<>();
        for (String file : files) {
            UpgradePolicy policy = read(file, problems);
            if (policy != null
                    && policies.stream().anyMatch(other -> other.scope().equals(policy.scope()))) {
                problems.add(file + " is a second policy of " + policy.scope() + ": give at most one for each scope");
            } else if (policy != null) {
                policies.add(policy);
            }
        }
        if (!problems.isEmpty()) {
            return connection.reportUsageErrors(terminal, problems);
        }
        return connection.run(
                terminal, kafka -> policies.isEmpty() ? replayDecisions(kafka) : comparePolicies(kafka, policies));
    }

    private static @Nullable UpgradePolicy read(String file, List<String> problems) {
        switch (TextFileResult.read(file)) {
            case TextFileResult.UnreadableFile unreadableFile -> problems.add(unreadableFile.problem());
            case TextFileResult.FileText fileText -> {
                switch (PolicyFileReader.read(fileText.text())) {
                    case FileReadResult.ValidFile<UpgradePolicy> validFile -> {
                        return validFile.value();
                    }
                    case FileReadResult.InvalidFile<UpgradePolicy> invalidFile ->
                        problems.addAll(FileProblemFormatter.lines(file, invalidFile.problems()));
                }
            }
        }
        return null;
    }

    private int replayDecisions(FleetKafkaClient kafka) {
        List<DecisionDifference> different = new ArrayList<>();
        DecisionReplay decisionReplay = new DecisionReplay(FleetDecider.standard(), different::add);
        long unreadable = readJournal(kafka, decisionReplay::replayRecord, decisionReplay::skipUnreadableRecord);
        output.print(
                terminal,
                () -> {
                    List<String> lines = new ArrayList<>();
                    different.forEach(each -> lines.add(describeRecord(each.record()) + ": now " + each.newDecision()));
                    lines.add(decisionReplay.replayedDecisions() + " decisions replayed,"
                            + " " + decisionReplay.differentDecisions() + " different; "
                            + decisionReplay.skippedReports() + " more follow directly from worker reports");
                    return lines;
                },
                () -> new JsonObjectReader.Builder()
                        .put("decisions", decisionReplay.replayedDecisions())
                        .put("mismatches", decisionReplay.differentDecisions())
                        .put("decisionsFromReports", decisionReplay.skippedReports())
                        .put(
                                "differences",
                                JsonFormatter.list(different.stream()
                                        .map(each -> new JsonObjectReader.Builder()
                                                .put("seq", each.record().seq())
                                                .put("event", each.record().event())
                                                .put("subject", each.record().subject())
                                                .put("newDecision", each.newDecision())
                                                .build())
                                        .toList()))
                        .build());
        return decisionReplay.differentDecisions() == 0 && unreadable == 0 ? ExitCode.DONE : ExitCode.NO;
    }

    private static String describeRecord(JournalRecord record) {
        return record.decidedAt() + " " + record.seq() + " " + record.event() + " " + record.subject();
    }

    private int comparePolicies(FleetKafkaClient kafka, List<UpgradePolicy> policies) {
        List<PolicyWhatIfReplay.StartDifference> different = new ArrayList<>();
        PolicyWhatIfReplay policyWhatIfReplay =
                new PolicyWhatIfReplay(FleetDecider.standard(), GateChain.standard(), policies, different::add);
        long unreadable = readJournal(kafka, policyWhatIfReplay::replayRecord, () -> {});
        policyWhatIfReplay.finishReplay();
        output.print(
                terminal,
                () -> {
                    List<String> lines = new ArrayList<>();
                    different.forEach(each -> lines.add(line(each)));
                    lines.add(policyWhatIfReplay.countStarts() + " starts: " + policyWhatIfReplay.countLaterStarts()
                            + " would have waited, " + policyWhatIfReplay.countEarlierStarts()
                            + " machines would have started sooner");
                    return lines;
                },
                () -> new JsonObjectReader.Builder()
                        .put("starts", policyWhatIfReplay.countStarts())
                        .put("laterStarts", policyWhatIfReplay.countLaterStarts())
                        .put("earlierStarts", policyWhatIfReplay.countEarlierStarts())
                        .put(
                                "differences",
                                JsonFormatter.list(different.stream()
                                        .map(JournalReplayCommand::json)
                                        .toList()))
                        .build());
        return unreadable == 0 ? ExitCode.DONE : ExitCode.NO;
    }

    private static String line(PolicyWhatIfReplay.StartDifference startDifference) {
        return startDifference.at() + " " + startDifference.machine()
                + switch (startDifference) {
                    case PolicyWhatIfReplay.StartDifference.LaterStart laterStart ->
                        " started, but would have waited at "
                                + laterStart.gate().gate().label() + ": "
                                + laterStart.gate().message();
                    case PolicyWhatIfReplay.StartDifference.EarlierStart earlierStart ->
                        " would have started"
                                + (earlierStart.actualAt() == null
                                        ? "; it has not started yet"
                                        : ", "
                                                + Duration.between(earlierStart.at(), earlierStart.actualAt())
                                                        .toSeconds()
                                                + " s earlier than it did");
                };
    }

    private static JsonObjectReader json(PolicyWhatIfReplay.StartDifference startDifference) {
        JsonObjectReader.Builder common = new JsonObjectReader.Builder()
                .put("machine", startDifference.machine().toString())
                .put("at", startDifference.at().toString());
        return switch (startDifference) {
            case PolicyWhatIfReplay.StartDifference.LaterStart laterStart ->
                common.put("would", "wait")
                        .put("gate", laterStart.gate().gate().label())
                        .put("message", laterStart.gate().message())
                        .build();
            case PolicyWhatIfReplay.StartDifference.EarlierStart earlierStart ->
                common.put("would", "start")
                        .put(
                                "really",
                                JsonFormatter.text(
                                        earlierStart.actualAt() == null
                                                ? null
                                                : earlierStart.actualAt().toString()))
                        .build();
        };
    }

    /** Returns the number of unreadable records. */
    private long readJournal(FleetKafkaClient kafka, Consumer<JournalRecord> taker, Runnable unreadableRecord) {
        kafka.sites();
        long[] unreadable = {0};
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalReader.readAll(reader, consumedRecord -> {
                JournalRecord record = JournalReader.decodeRecord(consumedRecord);
                if (record == null) {
                    unreadable[0]++;
                    unreadableRecord.run();
                    terminal.note(connection.commandName() + ": the record at offset " + consumedRecord.offset()
                            + " is unreadable");
                } else {
                    taker.accept(record);
                }
            });
        }
        return unreadable[0];
    }
}
