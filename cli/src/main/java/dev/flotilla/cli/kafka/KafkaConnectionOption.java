package dev.flotilla.cli.kafka;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Options that select Kafka, shared by all commands that need it. Runs a command and reports why Kafka cannot be
 * reached.
 */
public final class KafkaConnectionOption implements CommandErrorReporter {
    /** Timeout of a service's first request; it may start together with its brokers. */
    private static final Duration SERVICE_START_TIMEOUT = Duration.ofSeconds(10);

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Bootstrap brokers. Default: FLOTILLA_BOOTSTRAP_SERVERS, or those of --config.")
    private @Nullable String bootstrap;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML or JSON file with settings, such as kafka.bootstrapServers.")
    private @Nullable Path config;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context of ~/.config/flotilla/config.yaml; overrides the environment.")
    private @Nullable String context;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec calledCommand;

    private @Nullable FleetKafkaClient lent;

    /** Sets the called command; for use within other option groups. */
    public KafkaConnectionOption withCommand(@Nullable CommandSpec called) {
        calledCommand = called;
        return this;
    }

    /** Work of a command that needs Kafka. Returns the exit code. */
    @FunctionalInterface
    public interface KafkaTask {
        int run(FleetKafkaClient kafka);
    }

    /** Makes a command that runs within another one use the other's client. */
    public static void lend(CommandLine command, FleetKafkaClient kafka) {
        KafkaConnectionOption option = find(command.getCommandSpec());
        if (option != null) {
            option.lent = kafka;
        }
    }

    /** Finds the options of a command, also within other option groups; null if it has none. */
    public static @Nullable KafkaConnectionOption find(CommandSpec command) {
        for (CommandSpec mixin : command.mixins().values()) {
            KafkaConnectionOption found =
                    mixin.userObject() instanceof KafkaConnectionOption option ? option : find(mixin);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Runs a task with Kafka, or prints what is wrong with the settings or why Kafka failed. */
    public int run(Terminal terminal, KafkaTask kafkaTask) {
        return run(terminal, kafkaTask, why -> reportUnreachable(terminal, why));
    }

    /**
     * The same for a command that goes on without Kafka.
     *
     * @param unreachable handles why Kafka cannot be reached, and returns the exit code
     */
    public int run(Terminal terminal, KafkaTask kafkaTask, ToIntFunction<String> unreachable) {
        if (lent != null) {
            return run(lent, kafkaTask, unreachable);
        }
        return switch (readSettings(terminal)) {
            case KafkaConnectionConfig.InvalidKafkaSettings invalidKafkaSettings ->
                reportUsageErrors(terminal, invalidKafkaSettings.problems());
            case KafkaConnectionConfig.ResolvedKafkaSettings found ->
                run(
                        () -> FleetKafkaClient.open(found.settings()),
                        kafka -> {
                            int exit = kafkaTask.run(kafka);
                            String newer = kafka.newerRow();
                            if (newer != null) {
                                terminal.note(commandName() + ": " + newer);
                            }
                            return exit;
                        },
                        unreachable);
        };
    }

    /** Finds problems of the settings; none if Kafka can be called. */
    public List<String> findProblems(Terminal terminal) {
        return readSettings(terminal) instanceof KafkaConnectionConfig.InvalidKafkaSettings invalid
                ? invalid.problems()
                : List.of();
    }

    /** A name for the fleet: that of the context, or the host of the first broker. */
    public String fleetName(Terminal terminal) {
        String named = context != null ? context : terminal.environment().get(KafkaContexts.VARIABLE);
        if (named != null && bootstrap == null && config == null) {
            return named;
        }
        return readSettings(terminal) instanceof KafkaConnectionConfig.ResolvedKafkaSettings found
                ? found.settings().bootstrap().getFirst().replaceFirst(":[0-9]+$", "")
                : "fleet";
    }

    private KafkaConnectionConfig.KafkaSettingsResult readSettings(Terminal terminal) {
        if (context == null) {
            return KafkaConnectionConfig.read(bootstrap, config, terminal.environment());
        }
        return bootstrap != null || config != null
                ? new KafkaConnectionConfig.InvalidKafkaSettings(List.of("--context " + context + " and "
                        + (bootstrap != null ? "--bootstrap" : "--config") + " both select Kafka: give only one of"
                        + " them"))
                : KafkaContexts.readNamed(context, terminal.environment());
    }

    /**
     * Runs a task of a service, which has read its own settings and may start together with its brokers.
     *
     * @param unreachable reports why Kafka cannot be reached, and returns the exit code
     */
    public static int reach(KafkaClientSettings settings, KafkaTask kafkaTask, ToIntFunction<String> unreachable) {
        return run(() -> FleetKafkaClient.open(settings, SERVICE_START_TIMEOUT), kafkaTask, unreachable);
    }

    private static int run(Supplier<FleetKafkaClient> opened, KafkaTask kafkaTask, ToIntFunction<String> unreachable) {
        try (FleetKafkaClient kafka = opened.get()) {
            return run(kafka, kafkaTask, unreachable);
        } catch (UnavailableException | KafkaFailure failure) {
            return unreachable.applyAsInt(oneLine(failure));
        }
    }

    private static int run(FleetKafkaClient kafka, KafkaTask kafkaTask, ToIntFunction<String> unreachable) {
        try {
            return kafkaTask.run(kafka);
        } catch (UnavailableException | KafkaFailure failure) {
            return unreachable.applyAsInt(oneLine(failure));
        }
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    public @Nullable String bootstrap() {
        return bootstrap;
    }

    public @Nullable String context() {
        return context;
    }

    public @Nullable Path config() {
        return config;
    }

    private static String oneLine(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
