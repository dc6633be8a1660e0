package dev.flotilla.cli.kafka;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.CommandErrorReporter;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.KafkaFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options by which every verb is told which Kafka is meant, and what becomes of a verb that cannot reach it. */
public final class KafkaConnectionOption implements CommandErrorReporter {
    /** A service may start together with its brokers, and with everything else on its machine. */
    private static final Duration AT_A_START = Duration.ofSeconds(10);

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Brokers to begin with. Else FLOTILLA_BOOTSTRAP_SERVERS, or the file.")
    private @Nullable String bootstrap;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML with kafka.bootstrapServers, kafka.client and kafka.secretsFile.")
    private @Nullable Path config;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "One of the Kafkas in ~/.config/flotilla/config.yaml, whatever the environment says.")
    private @Nullable String context;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec verb;

    /** The same, within options that several verbs share: they know which verb was called. */
    public KafkaConnectionOption of(@Nullable CommandSpec called) {
        verb = called;
        return this;
    }

    /** What a verb does once it knows its Kafka. Returns the exit code. */
    @FunctionalInterface
    public interface KafkaTask {
        int run(FleetKafkaClient kafka);
    }

    /** Runs a verb; tells what is wrong with its settings, or why Kafka did not do what it was asked to. */
    public int run(Terminal terminal, KafkaTask kafkaTask) {
        return switch (found(terminal)) {
            case KafkaConnectionConfig.InvalidKafkaSettings invalidKafkaSettings ->
                reportUsageErrors(terminal, invalidKafkaSettings.problems());
            case KafkaConnectionConfig.ResolvedKafkaSettings found ->
                run(terminal, () -> FleetKafkaClient.open(found.settings()), kafkaTask);
        };
    }

    private KafkaConnectionConfig.KafkaSettingsResult found(Terminal terminal) {
        if (context == null) {
            return KafkaConnectionConfig.read(bootstrap, config, terminal.environment());
        }
        return bootstrap != null || config != null
                ? new KafkaConnectionConfig.InvalidKafkaSettings(List.of("--context " + context + " and "
                        + (bootstrap != null ? "--bootstrap" : "--config") + " each name a Kafka: leave one out"))
                : KafkaContexts.named(context, terminal.environment());
    }

    /** The same for a service, which has found out by itself which Kafka is meant, and may start with all others at once. */
    public int reach(Terminal terminal, KafkaClientSettings settings, KafkaTask kafkaTask) {
        return run(terminal, () -> FleetKafkaClient.open(settings, AT_A_START), kafkaTask);
    }

    private int run(Terminal terminal, Supplier<FleetKafkaClient> opened, KafkaTask kafkaTask) {
        try (FleetKafkaClient kafka = opened.get()) {
            return kafkaTask.run(kafka);
        } catch (UnavailableException | KafkaFailure failure) {
            return reportUnreachable(terminal, oneLine(failure));
        }
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return verb;
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
