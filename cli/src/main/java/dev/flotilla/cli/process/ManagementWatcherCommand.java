package dev.flotilla.cli.process;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.managementwatcher.Main;
import dev.flotilla.managementwatcher.config.ManagementWatcherConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla management-watcher}. */
@Command(
        name = "management-watcher",
        mixinStandardHelpOptions = true,
        description = {
            "Publishes one site's inventory and upgrade intents to Kafka and writes upgrade status back to the"
                    + " objects.",
            "Start several for each site: the one that started last is active, the others are standbys.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SITE, which override the --config file."
        })
public final class ManagementWatcherCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SiteServiceOptions options = new SiteServiceOptions("management-watcher");

    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private ManagementWatcherCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ManagementWatcherCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla management-watcher --bootstrap localhost:9092 --site east --kubeconfig east.kubeconfig",
                "flotilla management-watcher --config watcher.yaml --instance east-1");
        return command;
    }

    @Override
    public Integer call() {
        return new ServiceLauncher<>(
                        "management-watcher",
                        ManagementWatcherConfig.reader(KafkaConnectionConfig::settingDefects),
                        ManagementWatcherConfig::kafka,
                        ManagementWatcherConfig::server,
                        ManagementWatcherConfig::log,
                        SiteServiceOptions::isReady,
                        (name, kafka, config) -> Main.start(
                                name,
                                config.site(),
                                kafka,
                                config.server(),
                                config.kubernetes(),
                                config.externalUpgradeRequests(),
                                config.tracing()))
                .run(terminal, connection, options.instance(), options.asVariables(log));
    }
}
