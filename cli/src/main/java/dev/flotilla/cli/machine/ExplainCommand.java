package dev.flotilla.cli.machine;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.explain.Explanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.topic.Keys;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla machine explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says why a machine waits: every closed gate, with its numbers, and what will happen next.",
            "It puts the tables together as the orchestrator does, and asks the same gates."
        })
public final class ExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "As <site>/<namespace>/<name>.")
    private String machine = "";

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ExplainCommand(terminal));
        Examples.set(
                command,
                "flotilla machine explain east/fleet/k1-w-3",
                "flotilla machine explain --output json east/fleet/k1-w-3");
        return command;
    }

    @Override
    public Integer call() {
        MachineKey key = Keys.machine(machine);
        return key == null
                ? connection.wrong(
                        terminal, List.of("\"" + machine + "\" is no machine: write <site>/<namespace>/<name>"))
                : connection.run(terminal, kafka -> explain(kafka, key));
    }

    private int explain(FleetKafka kafka, MachineKey key) {
        Snapshot tables = kafka.readAll();
        FleetState state = tables.state();
        if (state.machine(key) == null) {
            return connection.no(
                    terminal, "no inventory row names machine " + key + "; `flotilla machine list` lists them");
        }
        Explanation explanation = Explain.machine(state, Gates.standard(), key, tables.now());
        output.tell(terminal, () -> Explained.lines(explanation), () -> Explained.json(explanation));
        return Exit.DONE;
    }
}
