package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla machine get}. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        description = "Shows the inventory row and the status row of a machine, and why it waits.")
public final class MachineGetCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "Machine, as <site>/<namespace>/<name>.")
    private String machine = "";

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private MachineGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineGetCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla machine get east/fleet/k1-w-3",
                "flotilla machine get --output json east/fleet/k1-w-3");
        return command;
    }

    @Override
    public Integer call() {
        MachineKey key = RecordKeyFormat.machine(machine);
        return key == null
                ? connection.reportUsageErrors(terminal, List.of(CommandErrorReporter.invalidMachineName(machine)))
                : connection.run(terminal, kafka -> explain(kafka, key));
    }

    private int explain(FleetKafkaClient kafka, MachineKey key) {
        TableSnapshot tables = kafka.readAll();
        FleetState state = tables.state();
        MachineView view = state.machine(key);
        if (view == null) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "machine " + key + " is not in the inventory; `flotilla machine list` lists the" + " machines");
        }
        MachineExplanation machineExplanation =
                MachineExplainer.explainMachine(state, GateChain.standard(), key, tables.now());
        LastFailureEvidence lastFailureEvidence = LastFailureEvidence.findLastFailure(tables, key);
        MachineRow inventory = tables.row(new RowKey(Table.INVENTORY, key), MachineRow.class);
        MachineStatus status = tables.row(new RowKey(Table.STATUS, key), MachineStatus.class);
        output.print(
                terminal,
                () -> {
                    List<String> lines =
                            new ArrayList<>(MachineExplanationText.lines(machineExplanation, lastFailureEvidence));
                    lines.add("Provider: " + view.provider().label()
                            + (view.foundProvider() == view.provider()
                                    ? ""
                                    : " by the policy (its watcher found "
                                            + view.foundProvider().label() + ")"));
                    lines.addAll(KeptFieldsText.lines(view, inventory));
                    lines.addAll(AttemptTraceText.lines(status));
                    lines.add("Inventory:");
                    lines.addAll(RowJson.fields(inventory));
                    lines.add("Status:");
                    lines.addAll(RowJson.fields(status));
                    return lines;
                },
                () -> MachineExplanationText.json(machineExplanation, lastFailureEvidence).toBuilder()
                        .put("provider", view.provider().label())
                        .put("dirty", KeptFieldsText.isDirty(view))
                        .put("traceId", JsonFormatter.text(AttemptTraceText.traceId(status)))
                        .put("inventory", RowJson.toJson(inventory))
                        .put("status", RowJson.toJson(status))
                        .build());
        return ExitCode.DONE;
    }
}
