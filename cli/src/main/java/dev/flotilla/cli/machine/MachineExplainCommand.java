package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.PointInTimeState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.InstantFormat;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla machine explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Explains why a machine waits: every closed gate with its values, and what happens next.",
            "If its last attempt failed, it also shows what the worker saw of the node and of k8sd.",
            "Reads the tables and evaluates the same gates as the orchestrator.",
            "With --at it explains a past instant, from one chapter of the journal."
        })
public final class MachineExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "Machine, as <site>/<namespace>/<name>.")
    private String machine = "";

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Instant to explain, such as 2026-01-02T03:04:05Z. Default: now.")
    private @Nullable String at;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private MachineExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineExplainCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla machine explain east/fleet/k1-w-3",
                "flotilla machine explain --output json east/fleet/k1-w-3",
                "flotilla machine explain east/fleet/k1-w-3 --at 2026-01-02T03:04:05Z");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        MachineKey key = RecordKeyFormat.machine(machine);
        if (key == null) {
            problems.add(CommandErrorReporter.invalidMachineName(machine));
        }
        Instant then = at == null ? null : InstantFormat.parse(at);
        if (at != null && then == null) {
            problems.add("--at \"" + at + "\" is not an instant: write it as 2026-01-02T03:04:05Z");
        }
        return key == null || !problems.isEmpty()
                ? connection.reportUsageErrors(terminal, problems)
                : connection.run(
                        terminal, kafka -> then == null ? explainNow(kafka, key) : explainPast(kafka, key, then));
    }

    private int explainNow(FleetKafkaClient kafka, MachineKey key) {
        TableSnapshot tables = kafka.readAll();
        return explain(tables.state(), key, tables.now(), LastFailureEvidence.findLastFailure(tables, key));
    }

    private int explainPast(FleetKafkaClient kafka, MachineKey key, Instant instant) {
        kafka.sites();
        FleetHead head = kafka.read(List.of()).head();
        if (instant.isAfter(head.decidedAt())) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "--at " + instant + " is later than the newest decision (" + head.decidedAt()
                            + "); leave out --at to explain the current state");
        }
        FleetState state = readPastState(kafka, head, instant);
        return state == null
                ? connection.reportNegativeAnswer(
                        terminal,
                        "the journal does not reach back to " + instant
                                + "; `flotilla journal chapters` lists the chapters that are kept")
                : explain(state, key, instant, null);
    }

    private static @Nullable FleetState readPastState(FleetKafkaClient kafka, FleetHead head, Instant instant) {
        PointInTimeState past = new PointInTimeState(instant);
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            new JournalChapterIndex(reader).findChapterBefore(head, instant);
            JournalReader.readWhile(reader, consumedRecord -> {
                JournalRecord record = JournalReader.decodeRecord(consumedRecord);
                return record == null || past.applyRecord(record);
            });
        }
        return past.state();
    }

    private int explain(
            FleetState state, MachineKey key, Instant instant, @Nullable LastFailureEvidence lastFailureEvidence) {
        if (state.machine(key) == null) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "machine " + key + " is not in the inventory"
                            + (at == null ? "; `flotilla machine list` lists the machines" : " as of " + instant));
        }
        MachineExplanation machineExplanation =
                MachineExplainer.explainMachine(state, GateChain.standard(), key, instant);
        output.print(
                terminal,
                () -> MachineExplanationText.lines(machineExplanation, lastFailureEvidence),
                () -> MachineExplanationText.json(machineExplanation, lastFailureEvidence));
        return ExitCode.DONE;
    }
}
