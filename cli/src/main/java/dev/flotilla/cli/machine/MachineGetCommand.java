package dev.flotilla.cli.machine;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.RowTree;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Caller;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
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
        description = "Shows a machine: its inventory row, its status row, and why it stands as it does.")
public final class MachineGetCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "As <site>/<namespace>/<name>.")
    private String machine = "";

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private MachineGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineGetCommand(terminal));
        Examples.set(
                command,
                "flotilla machine get east/fleet/k1-w-3",
                "flotilla machine get --output json east/fleet/k1-w-3");
        return command;
    }

    @Override
    public Integer call() {
        MachineKey key = RecordKeyFormat.machine(machine);
        return key == null
                ? connection.wrong(terminal, List.of(Caller.noMachine(machine)))
                : connection.run(terminal, kafka -> explain(kafka, key));
    }

    private int explain(FleetKafka kafka, MachineKey key) {
        Snapshot tables = kafka.readAll();
        FleetState state = tables.state();
        if (state.machine(key) == null) {
            return connection.no(
                    terminal, "no inventory row names machine " + key + "; `flotilla machine list` lists them");
        }
        MachineExplanation machineExplanation = MachineExplainer.explainMachine(state, GateChain.standard(), key, tables.now());
        Seen seen = Seen.of(tables, key);
        MachineRow inventory = tables.row(new RowKey(Table.INVENTORY, key), MachineRow.class);
        MachineStatus status = tables.row(new RowKey(Table.STATUS, key), MachineStatus.class);
        output.tell(
                terminal,
                () -> {
                    List<String> lines = new ArrayList<>(Explained.lines(machineExplanation, seen));
                    lines.add("Inventory:");
                    lines.addAll(RowTree.fields(inventory));
                    lines.add("Status:");
                    lines.addAll(RowTree.fields(status));
                    return lines;
                },
                () -> Explained.json(machineExplanation, seen).toBuilder()
                        .put("inventory", RowTree.of(inventory))
                        .put("status", RowTree.of(status))
                        .build());
        return Exit.DONE;
    }
}
