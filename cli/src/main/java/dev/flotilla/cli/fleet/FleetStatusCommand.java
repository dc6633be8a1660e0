package dev.flotilla.cli.fleet;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla fleet status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Shows which orchestrator leads, how far it has decided, what is in flight, and at which gates machines"
                        + " wait.")
public final class FleetStatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private FleetStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new FleetStatusCommand(terminal));
        HelpExamples.set(command, "flotilla fleet status", "flotilla fleet status --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, kafka -> {
            FleetStatusReport status =
                    FleetStatusReport.of(kafka.readAll(), LeaderGroup.read(kafka), kafka.blockingTransactions());
            output.print(terminal, status::lines, status::json);
            return ExitCode.DONE;
        });
    }
}
