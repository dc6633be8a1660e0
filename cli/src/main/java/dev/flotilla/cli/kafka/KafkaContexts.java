package dev.flotilla.cli.kafka;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Named Kafka connections of a user, as kubectl's contexts.
 *
 * @param currentContext context that is used by default; null for none
 */
record KafkaContexts(@Nullable String currentContext, List<KafkaContext> contexts) {
    /** Variable with the path of the contexts file. The start of the command sets its default. */
    static final String FILE = "FLOTILLA_CONTEXTS";

    /** Variable that selects a context. */
    static final String VARIABLE = "FLOTILLA_CONTEXT";

    private static final int MAX = 1_000;
    private static final int MAX_NAME = 253;

    /** One named connection. */
    record KafkaContext(String name, KafkaConfig kafka) {}

    /** Reads the context that an option names; it must exist. */
    static KafkaConnectionConfig.KafkaSettingsResult readNamed(String name, Map<String, String> environment) {
        return readChosen(name, "--context " + name, environment);
    }

    /** Reads the context that the environment or the file selects; null if neither does. */
    static KafkaConnectionConfig.@Nullable KafkaSettingsResult readCurrent(Map<String, String> environment) {
        String name = environment.get(VARIABLE);
        if (name != null) {
            return readChosen(name, VARIABLE + "=" + name, environment);
        }
        Path file = file(environment);
        return file == null ? null : of(file, null, "currentContext");
    }

    private static KafkaConnectionConfig.KafkaSettingsResult readChosen(
            String name, String source, Map<String, String> environment) {
        Path file = file(environment);
        return file == null
                ? new KafkaConnectionConfig.InvalidKafkaSettings(List.of(source + ": no contexts file "
                        + environment.getOrDefault(FILE, "~/.config/flotilla/config.yaml")
                        + "; docs/operate.md shows its format"))
                : Objects.requireNonNull(of(file, name, source));
    }

    private static @Nullable Path file(Map<String, String> environment) {
        String named = environment.get(FILE);
        return named == null || !Files.exists(Path.of(named)) ? null : Path.of(named);
    }

    private static KafkaConnectionConfig.@Nullable KafkaSettingsResult of(
            Path file, @Nullable String chosen, String source) {
        return switch (new ConfigReader<>(codec(), Map.of()).read(file, Map.of())) {
            case ConfigReadResult.InvalidConfig<KafkaContexts> invalidConfig ->
                new KafkaConnectionConfig.InvalidKafkaSettings(
                        KafkaConnectionConfig.lines(invalidConfig.problems(), false));
            case ConfigReadResult.ValidConfig<KafkaContexts> validConfig ->
                validConfig.value().settings(file, chosen, source);
        };
    }

    private KafkaConnectionConfig.@Nullable KafkaSettingsResult settings(
            Path file, @Nullable String chosen, String source) {
        String name = chosen == null ? currentContext : chosen;
        if (name == null) {
            return null;
        }
        for (KafkaContext each : contexts) {
            if (each.name().equals(name)) {
                return KafkaConnectionConfig.settings(each.kafka());
            }
        }
        String known = contexts.stream().map(KafkaContext::name).collect(Collectors.joining(", "));
        return new KafkaConnectionConfig.InvalidKafkaSettings(List.of(source + ": " + file + " has no context \"" + name
                + "\"" + (known.isEmpty() ? "" : "; contexts: " + known)));
    }

    private static JsonCodec<KafkaContexts> codec() {
        var context = JsonObjectCodec.<KafkaContext>of("context", "A named Kafka connection.");
        var name = context.required("name", ScalarCodecs.text(1, MAX_NAME), "Name of the context.", KafkaContext::name);
        var kafka = context.required(
                "kafka",
                KafkaConfig.codec(KafkaConnectionConfig::settingDefects),
                "Settings of the Kafka client.",
                KafkaContext::kafka);
        var each = context.build(v -> new KafkaContext(v.get(name), v.get(kafka)));
        var all = JsonObjectCodec.<KafkaContexts>of("contexts", "Kafka connections of a user.");
        var current = all.optional(
                "currentContext",
                ScalarCodecs.text(1, MAX_NAME),
                "Context that is used by default.",
                KafkaContexts::currentContext);
        var contexts = all.required("contexts", new ListCodec<>(each, MAX), "All contexts.", KafkaContexts::contexts);
        return all.build(v -> new KafkaContexts(v.get(current), v.get(contexts)));
    }
}
