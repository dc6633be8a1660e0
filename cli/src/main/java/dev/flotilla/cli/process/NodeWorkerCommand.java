package dev.flotilla.cli.process;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.ConnectionConfig;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.kube.Access;
import dev.flotilla.nodeworker.Main;
import dev.flotilla.nodeworker.config.NodeWorkerConfig;
import dev.flotilla.runtime.kafka.KafkaSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla node-worker}. */
@Command(
        name = "node-worker",
        mixinStandardHelpOptions = true,
        description = {
            "Drives the machines of one site through their upgrades, as the orchestrator commands.",
            "Start several: they share the site's machines, and whoever is left takes up what another has begun.",
            "It prints one line when it listens, logs on stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: the file, over it variables such as FLOTILLA_SITE, over both these options."
        })
public final class NodeWorkerCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--site", paramLabel = "SITE", description = "Whose machines it drives.")
    private @Nullable String site;

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How the site's management cluster is reached. Default: as a pod of that cluster.")
    private @Nullable String kubeconfig;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where health and metrics are served. Default: any free port of 127.0.0.1.")
    private @Nullable String listen;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "This process's name, in logs, on machines and to Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance = "node-worker";

    @Mixin
    private Connection connection = new Connection();

    private NodeWorkerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new NodeWorkerCommand(terminal));
        Examples.set(
                command,
                "flotilla node-worker --bootstrap localhost:9092 --site east --kubeconfig east.kubeconfig",
                "flotilla node-worker --config node-worker.yaml --instance east-1");
        return command;
    }

    @Override
    public Integer call() {
        List<Service.Stated> options = new ArrayList<>();
        Service.Stated.add(options, "--site", "FLOTILLA_SITE", site);
        Service.Stated.add(options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        Service.Stated.add(options, "--listen", Service.LISTEN, listen);
        return new Service<>(
                        "node-worker",
                        NodeWorkerConfig.reader(ConnectionConfig::flaws),
                        NodeWorkerConfig::kafka,
                        NodeWorkerConfig::server,
                        NodeWorkerCommand::isReady,
                        NodeWorkerCommand::start)
                .run(terminal, connection, instance, options);
    }

    private static String start(String name, KafkaSettings kafka, NodeWorkerConfig config) throws IOException {
        try {
            return Main.start(
                    name, config.site(), kafka, config.server(), config.kubernetes(), config.nodes(), config.checks());
        } catch (Access.UnfitKubeconfig e) {
            throw new IOException("kubeconfig " + config.kubernetes().kubeconfigFile() + ": " + e.getMessage(), e);
        }
    }

    /** A worker's principal sees its own site's topics and no others: whether they are there is found when it joins. */
    private static int isReady(FleetKafka kafka) {
        kafka.topics().requireTransactions();
        return Exit.DONE;
    }
}
