package dev.flotilla.cli.process;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeupgrader.Main;
import dev.flotilla.nodeupgrader.config.NodeUpgraderConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML or JSON file with settings, such as kubernetes.kubeconfigFile.")
    private @Nullable Path config;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the management cluster. Default: the service account of the pod.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address that serves health and metrics. Default: a free port of 127.0.0.1.")
    private @Nullable String listen;

    @Mixin
    private LogOptions log = new LogOptions();

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
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(
                options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        log.addVariables(options);
        return new KafkaFreeServiceLauncher<>(
                        "node-upgrader",
                        NodeUpgraderConfig.reader(),
                        NodeUpgraderConfig::server,
                        NodeUpgraderConfig::log,
                        Main::start)
                .run(terminal, this, config, options);
    }
}
