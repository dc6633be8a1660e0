package dev.flotilla.cli.kafka;

import dev.flotilla.runtime.config.ConfigProblem;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a verb is told of Kafka: a file, the environment, and over both an option. */
public record KafkaConnectionConfig(KafkaConfig kafka) {
    private static final String OPTION = "--bootstrap";
    private static final String SETTING = "kafka.bootstrapServers";
    private static final String VARIABLE = "FLOTILLA_KAFKA_BOOTSTRAP_SERVERS";
    private static final String SECTION = "FLOTILLA_KAFKA_";

    /** What whoever names no Kafka is told. */
    public static final String UNNAMED = "no Kafka is named: give " + OPTION + " HOST:PORT, or --config FILE with "
            + SETTING + ", or set FLOTILLA_BOOTSTRAP_SERVERS, or name a context with --context";

    /** Variables that name the brokers in a word. */
    private static final List<String> SHORT_NAMES = List.of("FLOTILLA_BOOTSTRAP_SERVERS", "FLOTILLA_BROKERS");

    /** What came of it. */
    public sealed interface KafkaSettingsResult {}

    /** This Kafka is meant. */
    public record ResolvedKafkaSettings(KafkaClientSettings settings) implements KafkaSettingsResult {}

    /** Everything that is wrong, a line each. */
    public record InvalidKafkaSettings(List<String> problems) implements KafkaSettingsResult {}

    /**
     * The Kafka that an option, a file and the environment state together, the first of them before all else; where none of
     * them says anything, the person's current context.
     */
    static KafkaSettingsResult read(@Nullable String bootstrap, @Nullable Path file, Map<String, String> environment) {
        Map<String, String> ours = environment(bootstrap, environment);
        if (file == null && ours.isEmpty()) {
            KafkaSettingsResult current = KafkaContexts.current(environment);
            return current == null ? new InvalidKafkaSettings(List.of(UNNAMED)) : current;
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

    /** The variables that concern Kafka, with an option's word in place of all that would say the same. */
    public static Map<String, String> environment(@Nullable String bootstrap, Map<String, String> environment) {
        Map<String, String> ours = new TreeMap<>(environment);
        ours.keySet().removeIf(name -> !name.startsWith(SECTION) && !SHORT_NAMES.contains(name));
        if (bootstrap != null) {
            ours.keySet().removeAll(SHORT_NAMES);
            ours.put(VARIABLE, bootstrap);
        }
        return ours;
    }

    /** Problems as people read them; what an option said is told of the option. */
    public static List<String> lines(List<ConfigProblem> problems, boolean optionGiven) {
        List<String> lines = new ArrayList<>();
        for (ConfigProblem problem : problems) {
            String line = problem.toString();
            lines.add(optionGiven ? line.replace("environment variable " + VARIABLE, OPTION) : line);
        }
        return lines;
    }

    /** What is wrong with the client's settings, as the configuration's reader wants it. */
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

    /** The settings of a configuration that has been read. */
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
                    List.of("kafka.secretsFile " + config.secretsFile() + " cannot be read any more"));
        }
    }

    private static JsonCodec<KafkaConnectionConfig> codec() {
        var it = JsonObjectCodec.<KafkaConnectionConfig>of("connection", "How the command reaches the fleet's tables.");
        var kafka = it.required(
                "kafka",
                KafkaConfig.codec(KafkaConnectionConfig::settingDefects),
                "How Kafka is reached.",
                KafkaConnectionConfig::kafka);
        return it.build(v -> new KafkaConnectionConfig(v.get(kafka)));
    }
}
