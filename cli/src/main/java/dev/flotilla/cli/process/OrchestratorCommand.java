package dev.flotilla.cli.process;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.orchestrator.Main;
import dev.flotilla.orchestrator.config.OrchestratorConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla orchestrator}. */
@Command(
        name = "orchestrator",
        mixinStandardHelpOptions = true,
        description = {
            "Decides what may start, and when. Start several: one leads, the others stand by.",
            "It prints one line when it listens, logs on stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: the file, over it variables such as FLOTILLA_SERVER_LISTEN, over both these options."
        })
public final class OrchestratorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where health, metrics and the API are served. Default: any free port of 127.0.0.1.")
    private @Nullable String listen;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "This process's name, in logs and to Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance = "orchestrator";

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private OrchestratorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new OrchestratorCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla orchestrator --bootstrap localhost:9092",
                "flotilla orchestrator --config orchestrator.yaml --instance east-1 --listen 127.0.0.1:8080");
        return command;
    }

    @Override
    public Integer call() {
        List<ServiceLauncher.OptionAsVariable> options = new ArrayList<>();
        ServiceLauncher.OptionAsVariable.add(options, "--listen", ServiceLauncher.LISTEN, listen);
        return new ServiceLauncher<>(
                        "orchestrator",
                        OrchestratorConfig.reader(KafkaConnectionConfig::settingDefects),
                        OrchestratorConfig::kafka,
                        OrchestratorConfig::server,
                        OrchestratorCommand::isReady,
                        (name, kafka, config) -> Main.start(
                                name, kafka, config.server(), config.journal().chapterPolicy()))
                .run(terminal, connection, instance, options);
    }

    /** Better told at the start than found out by whoever wonders why nothing is decided. */
    private static int isReady(FleetKafkaClient kafka) {
        kafka.sites();
        kafka.topics().requireTransactions();
        return ExitCode.DONE;
    }
}
