package dev.flotilla.cli.process;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.ConnectionConfig;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.kube.Access;
import dev.flotilla.managementwatcher.Main;
import dev.flotilla.managementwatcher.config.ManagementWatcherConfig;
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

/** {@code flotilla management-watcher}. */
@Command(
        name = "management-watcher",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes what one site's management cluster has and wants, and writes back on its objects what came of it.",
            "Start several: the one that started last watches, the others stand by and take over.",
            "It prints one line when it listens, logs on stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: the file, over it variables such as FLOTILLA_SITE, over both these options."
        })
public final class ManagementWatcherCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--site", paramLabel = "SITE", description = "Which site it watches.")
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
    private String instance = "management-watcher";

    @Mixin
    private Connection connection = new Connection();

    private ManagementWatcherCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ManagementWatcherCommand(terminal));
        Examples.set(
                command,
                "flotilla management-watcher --bootstrap localhost:9092 --site east --kubeconfig east.kubeconfig",
                "flotilla management-watcher --config watcher.yaml --instance east-1");
        return command;
    }

    @Override
    public Integer call() {
        List<Service.Stated> options = new ArrayList<>();
        Service.Stated.add(options, "--site", "FLOTILLA_SITE", site);
        Service.Stated.add(options, "--kubeconfig", "FLOTILLA_KUBERNETES_KUBECONFIG_FILE", kubeconfig);
        Service.Stated.add(options, "--listen", Service.LISTEN, listen);
        return new Service<>(
                        "management-watcher",
                        ManagementWatcherConfig.reader(ConnectionConfig::flaws),
                        ManagementWatcherConfig::kafka,
                        ManagementWatcherConfig::server,
                        ManagementWatcherCommand::isReady,
                        ManagementWatcherCommand::start)
                .run(terminal, connection, instance, options);
    }

    private static String start(String name, KafkaSettings kafka, ManagementWatcherConfig config) throws IOException {
        try {
            return Main.start(name, config.site(), kafka, config.server(), config.kubernetes());
        } catch (Access.UnfitKubeconfig e) {
            throw new IOException("kubeconfig " + config.kubernetes().kubeconfigFile() + ": " + e.getMessage(), e);
        }
    }

    /** A watcher's principal sees its own site's topics and no others: whether they are there is found when it reads them. */
    private static int isReady(FleetKafka kafka) {
        kafka.topics().requireTransactions();
        return Exit.DONE;
    }
}
