package dev.flotilla.cli.process;

import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.managementwatcher.Main;
import dev.flotilla.managementwatcher.config.ManagementWatcherConfig;
import java.util.concurrent.Callable;
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

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "This process's name, in logs, on machines and to Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance = "management-watcher";

    @Mixin
    private SiteServiceOptions options = new SiteServiceOptions();

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
                        SiteServiceOptions::isReady,
                        (name, kafka, config) ->
                                Main.start(name, config.site(), kafka, config.server(), config.kubernetes()))
                .run(terminal, connection, instance, options.statedOptions());
    }
}
