package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeworker.cleanup.ManualCleanup;
import dev.flotilla.nodeworker.cleanup.ManualCleanup.LookupResult;
import dev.flotilla.nodeworker.cleanup.ManualCleanup.StaleAttemptAnnotations;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla machine release}. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        description = {
            "Removes what an attempt that is over has left behind: the cordon of its node and the guard annotations.",
            "Workers do this themselves. Use this command when a log message or alert says that they could not.",
            "Refuses while an attempt is open, and names it: the worker cleans up its own attempt.",
            "Cordons and annotations of others stay. Rights: get and patch Machine, get Secret <cluster>-kubeconfig.",
            "Exit codes: 0 removed or nothing to remove, 1 an attempt is open or the removal failed, 2 wrong usage, 3"
                    + " Kafka or the"
                    + " management cluster cannot be reached."
        })
public final class MachineCleanupCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "Machine, as <site>/<namespace>/<name>.")
    private String machine = "";

    @Option(names = "--dry-run", description = "Print what would be removed, and remove nothing.")
    private boolean dryRun;

    @Mixin
    private ManagementClusterOption cluster = new ManagementClusterOption();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private MachineCleanupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineCleanupCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla machine release --dry-run east/fleet/k1-w-3 --kubeconfig east.kubeconfig",
                "flotilla machine release east/fleet/k1-w-3 --kubeconfig east.kubeconfig");
        return command;
    }

    @Override
    public Integer call() {
        MachineKey key = RecordKeyFormat.machine(machine);
        return key == null
                ? cluster.reportUsageErrors(terminal, List.of(CommandErrorReporter.invalidMachineName(machine)))
                : connection.run(
                        terminal, kafka -> cluster.run(terminal, manualCleanup -> release(kafka, manualCleanup, key)));
    }

    private int release(FleetKafkaClient kafka, ManualCleanup manualCleanup, MachineKey key) {
        if (!kafka.sites().contains(key.site())) {
            return connection.reportNegativeAnswer(
                    terminal, "there is no site " + key.site() + "; `flotilla site list` lists the sites");
        }
        // Annotations are read before rows: an attempt that left an annotation was admitted before.
        return switch (manualCleanup.findStaleAnnotations(key)) {
            case LookupResult.LookupEmpty<StaleAttemptAnnotations> lookupEmpty ->
                connection.reportNegativeAnswer(
                        terminal, "there is no Machine " + key + " at " + manualCleanup.server());
            case LookupResult.LookupFailed<StaleAttemptAnnotations> lookupFailed ->
                cluster.reportUnreachable(terminal, lookupFailed.reason());
            case LookupResult.LookupSucceeded<StaleAttemptAnnotations> lookupSucceeded -> {
                String problem = findProblem(
                        kafka.read(List.of(key.site()), Table.INVENTORY, Table.STATUS),
                        lookupSucceeded.value(),
                        manualCleanup.server());
                yield problem == null
                        ? cleanUp(manualCleanup, lookupSucceeded.value())
                        : connection.reportNegativeAnswer(terminal, problem);
            }
        };
    }

    /** Finds why nothing may be removed; null if it may. */
    private static @Nullable String findProblem(TableSnapshot tables, StaleAttemptAnnotations left, String server) {
        MachineKey key = left.key();
        MachineRow row = tables.row(new RowKey(Table.INVENTORY, key), MachineRow.class);
        if (row == null) {
            return "machine " + key + " is not in the inventory; `flotilla machine list` lists the machines";
        }
        if (!row.uid().equals(left.uid())) {
            return "machine " + key + " at " + server + " has uid " + left.uid() + ", but the inventory has uid "
                    + row.uid() + ": is this the management cluster of site " + key.site() + "?";
        }
        MachineStatus status = tables.row(new RowKey(Table.STATUS, key), MachineStatus.class);
        UpgradeAttempt open = status == null ? null : status.attempt();
        return open == null
                ? null
                : "attempt " + open.id() + " of " + open.rolloutRef() + " is open (" + describeState(open) + ", since "
                        + open.admittedAt() + "): its worker cleans up after it. `flotilla machine explain " + key
                        + "` says what the attempt waits for";
    }

    private static String describeState(UpgradeAttempt attempt) {
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> "admitted";
            case AttemptState.Running running -> "at " + running.step().label();
            case AttemptState.Unknown unknown -> "its outcome is unknown";
        };
    }

    private int cleanUp(ManualCleanup manualCleanup, StaleAttemptAnnotations left) {
        String problem = dryRun ? null : manualCleanup.cleanUp(left);
        if (problem != null) {
            return connection.reportNegativeAnswer(terminal, "the removal failed: " + problem);
        }
        output.print(terminal, () -> lines(left), () -> json(left));
        return ExitCode.DONE;
    }

    private List<String> lines(StaleAttemptAnnotations left) {
        if (left.isEmpty()) {
            return List.of(left.key() + ": no attempt has left anything behind");
        }
        String would = dryRun ? "would be " : "";
        List<String> lines = new ArrayList<>();
        if (left.cordon() != null) {
            lines.add(left.key() + ": node " + left.node() + " " + would + "uncordoned; attempt" + " "
                    + left.cordon().attempt() + " cordoned it");
        }
        if (left.guards() != null) {
            lines.add(left.key() + ": guard annotations of attempt "
                    + left.guards().attempt() + " " + (dryRun ? "would be removed" : "removed"));
        }
        return lines;
    }

    private JsonObjectReader json(StaleAttemptAnnotations left) {
        return new JsonObjectReader.Builder()
                .put("machine", left.key().toString())
                .put("uncordoned", !dryRun && left.cordon() != null)
                .put("released", !dryRun && left.guards() != null)
                .put(
                        "attempts",
                        JsonFormatter.list(left.attempts().stream()
                                .map(number -> new JsonValue.JsonInteger(number, JsonValue.NO_LINE))
                                .toList()))
                .put("dryRun", dryRun)
                .build();
    }
}
