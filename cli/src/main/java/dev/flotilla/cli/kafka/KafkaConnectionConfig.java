package dev.flotilla.cli.kafka;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.runtime.config.ConfigProblem;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Kafka settings of a command: options override environment variables, which override the file. */
public record KafkaConnectionConfig(KafkaConfig kafka) {
    private static final String OPTION = "--bootstrap";
    private static final String SETTING = "kafka.bootstrapServers";
    private static final String VARIABLE = "FLOTILLA_KAFKA_BOOTSTRAP_SERVERS";
    private static final String SECTION = "FLOTILLA_KAFKA_";

    /** Error for a command without Kafka settings. */
    public static final String NO_BROKERS_CONFIGURED =
            "no Kafka brokers are configured: give " + OPTION + " HOST:PORT, or --config"
                    + " FILE with "
                    + SETTING + ", or set FLOTILLA_BOOTSTRAP_SERVERS, or choose a context with --context";

    /** Short names of the variable for the brokers. */
    private static final List<String> SHORT_NAMES = List.of("FLOTILLA_BOOTSTRAP_SERVERS", "FLOTILLA_BROKERS");

    /** Result of reading the settings. */
    public sealed interface KafkaSettingsResult {}

    /** The settings are valid. */
    public record ResolvedKafkaSettings(KafkaClientSettings settings) implements KafkaSettingsResult {}

    /** The settings are invalid; one line for each problem. */
    public record InvalidKafkaSettings(List<String> problems) implements KafkaSettingsResult {}

    /**
     * Reads the settings from the option, the environment and the file, in this order of precedence; without any, from
     * the user's current context.
     */
    static KafkaSettingsResult read(@Nullable String bootstrap, @Nullable Path file, Map<String, String> environment) {
        Map<String, String> ours = environment(bootstrap, environment);
        if (file == null && ours.isEmpty()) {
            KafkaSettingsResult current = KafkaContexts.readCurrent(environment);
            return current == null ? new InvalidKafkaSettings(List.of(NO_BROKERS_CONFIGURED)) : current;
        }
        ConfigReader<KafkaConnectionConfig> reader =
                new ConfigReader<>(codec(), Map.of(SHORT_NAMES.get(0), SETTING, SHORT_NAMES.get(1), SETTING));
        return switch (reader.read(file, ours)) {
            case ConfigReadResult.InvalidConfig<KafkaConnectionConfig> invalidConfig ->
                new InvalidKafkaSettings(lines(invalidConfig.problems(), bootstrap != null));
            case ConfigReadResult.ValidConfig<KafkaConnectionConfig> validConfig ->
                settings(validConfig.value().kafka());
        };
    }

    /** The environment's Kafka variables; the option replaces every variable for the same setting. */
    public static Map<String, String> environment(@Nullable String bootstrap, Map<String, String> environment) {
        Map<String, String> ours = new TreeMap<>(environment);
        ours.keySet().removeIf(name -> !name.startsWith(SECTION) && !SHORT_NAMES.contains(name));
        if (bootstrap != null) {
            ours.keySet().removeAll(SHORT_NAMES);
            ours.put(VARIABLE, bootstrap);
        }
        return ours;
    }

    /** Formats problems; a problem of a value that an option gave names the option. */
    public static List<String> lines(List<ConfigProblem> problems, boolean optionGiven) {
        List<String> lines = new ArrayList<>();
        for (ConfigProblem problem : problems) {
            String line = problem.toString();
            lines.add(optionGiven ? line.replace("environment variable " + VARIABLE, OPTION) : line);
        }
        return lines;
    }

    /** Finds problems of the Kafka client's properties. */
    public static List<KafkaConfig.PropertyProblem> settingDefects(Map<String, String> settings) {
        return switch (KafkaClientSettings.parse(settings)) {
            case KafkaClientSettings.ValidSettings validSettings -> List.of();
            case KafkaClientSettings.InvalidSettings invalidSettings ->
                invalidSettings.problems().stream()
                        .map(settingProblem -> new KafkaConfig.PropertyProblem(
                                settingProblem.key(),
                                settingProblem.value().isEmpty()
                                        ? settingProblem.problem()
                                        : "\"" + settingProblem.value() + "\" " + settingProblem.problem(),
                                settingProblem.remedy()))
                        .toList();
        };
    }

    /** Makes client settings from a parsed configuration. */
    public static KafkaSettingsResult settings(KafkaConfig config) {
        try {
            return switch (KafkaClientSettings.parse(config.settings())) {
                case KafkaClientSettings.ValidSettings validSettings ->
                    new ResolvedKafkaSettings(validSettings.settings());
                case KafkaClientSettings.InvalidSettings invalidSettings ->
                    new InvalidKafkaSettings(invalidSettings.problems().stream()
                            .map(KafkaClientSettings.SettingProblem::toString)
                            .toList());
            };
        } catch (IOException e) {
            return new InvalidKafkaSettings(
                    List.of("kafka.secretsFile " + config.secretsFile() + " can no longer be read"));
        }
    }

    private static JsonCodec<KafkaConnectionConfig> codec() {
        var it = JsonObjectCodec.<KafkaConnectionConfig>of("connection", "Connection to the fleet's Kafka.");
        var kafka = it.required(
                "kafka",
                KafkaConfig.codec(KafkaConnectionConfig::settingDefects),
                "Settings of the Kafka client.",
                KafkaConnectionConfig::kafka);
        return it.build(v -> new KafkaConnectionConfig(v.get(kafka)));
    }
}
