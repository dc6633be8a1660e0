package dev.flotilla.cli.process;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeupgrader.Main;
import dev.flotilla.nodeupgrader.config.NodeUpgraderConfig;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code flotilla node-upgrader}. It needs no Kafka. */
@Command(
        name = "node-upgrader",
        mixinStandardHelpOptions = true,
        description = {
            "Fulfils the NodeUpgrades of one management cluster by running the steps of their plans on the nodes.",
            "Each is one privileged Job in the workload cluster, and its result is read back from the node.",
            "Several may run at once. It needs no Kafka; a node-worker creates the NodeUpgrades.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SERVER_LISTEN, which override the"
                    + " --config file."
        })
public final class NodeUpgraderCommand implements Callable<Integer>, CommandErrorReporter {
    private final Terminal terminal;

    @Mixin
    private ManagementProcessOptions process = new ManagementProcessOptions();

    @Spec
    private @Nullable CommandSpec calledCommand;

    private NodeUpgraderCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new NodeUpgraderCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla node-upgrader --kubeconfig management.kubeconfig",
                "flotilla node-upgrader --config node-upgrader.yaml");
        return command;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() {
        return new KafkaFreeServiceLauncher<>(
                        "node-upgrader",
                        NodeUpgraderConfig.reader(),
                        NodeUpgraderConfig::server,
                        NodeUpgraderConfig::log,
                        Main::start)
                .run(terminal, this, process.config(), process.toVariables());
    }
}
