package dev.flotilla.cli.fleet;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla fleet status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows how far the orchestrator has decided, what is in flight, and what waits at which gate.")
public final class StatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new StatusCommand(terminal));
        Examples.set(command, "flotilla fleet status", "flotilla fleet status --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, kafka -> {
            FleetStatus status = FleetStatus.of(kafka.readAll(), kafka.heldBack());
            output.tell(terminal, status::lines, status::json);
            return Exit.DONE;
        });
    }
}
