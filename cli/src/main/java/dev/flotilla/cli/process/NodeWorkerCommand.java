package dev.flotilla.cli.process;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeworker.Main;
import dev.flotilla.nodeworker.config.NodeWorkerConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla node-worker}. */
@Command(
        name = "node-worker",
        mixinStandardHelpOptions = true,
        description = {
            "Upgrades the machines of one site as the orchestrator commands, and verifies each result on the node.",
            "Start several for each site: they share its machines, and take over the upgrades of one that fails.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SITE, which override the --config file."
        })
public final class NodeWorkerCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SiteServiceOptions options = new SiteServiceOptions("node-worker");

    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private NodeWorkerCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new NodeWorkerCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla node-worker --bootstrap localhost:9092 --site east --kubeconfig east.kubeconfig",
                "flotilla node-worker --config node-worker.yaml --instance east-1");
        return command;
    }

    @Override
    public Integer call() {
        return new ServiceLauncher<>(
                        "node-worker",
                        NodeWorkerConfig.reader(KafkaConnectionConfig::settingDefects),
                        NodeWorkerConfig::kafka,
                        NodeWorkerConfig::server,
                        NodeWorkerConfig::log,
                        SiteServiceOptions::isReady,
                        (name, kafka, config) -> Main.start(
                                name,
                                config.site(),
                                kafka,
                                config.server(),
                                config.kubernetes(),
                                config.nodes(),
                                config.checks(),
                                config.tracing()))
                .run(terminal, connection, options.instance(), options.asVariables(log));
    }
}
