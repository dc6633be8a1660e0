package dev.flotilla.cli.process;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
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
            "Decides which machines start and when, and serves the read API and the web page.",
            "Start several: one is leader, the others are standbys.",
            "Prints one line when it is ready, logs to stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: options override environment variables such as FLOTILLA_SERVER_LISTEN, which override the"
                    + " --config file."
        })
public final class OrchestratorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address that serves health, metrics, API and web page. Default: a free port of 127.0.0.1.")
    private @Nullable String listen;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "Name of this process in logs and in Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance = "orchestrator";

    @Mixin
    private LogOptions log = new LogOptions();

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
        log.addVariables(options);
        return new ServiceLauncher<>(
                        "orchestrator",
                        OrchestratorConfig.reader(KafkaConnectionConfig::settingDefects),
                        OrchestratorConfig::kafka,
                        OrchestratorConfig::server,
                        OrchestratorConfig::log,
                        OrchestratorCommand::isReady,
                        (name, kafka, config) -> Main.start(
                                name, kafka, config.server(), config.journal().chapterPolicy(), config.tracing()))
                .run(terminal, connection, instance, options);
    }

    /** Checks the topics at the start, so that a missing topic is reported at once. */
    private static int isReady(FleetKafkaClient kafka) {
        kafka.sites();
        kafka.topics().requireTransactions();
        return ExitCode.DONE;
    }
}
