package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Kafka: the only way by which client properties come from outside, and only those of {@link AllowedClientProperties}.
 * Secrets are held as Kafka's {@code Password}, which prints as hidden, so neither this nor the maps show any.
 *
 * @param bootstrap addresses as {@code host:port}
 * @param clientProperties properties for every client, as the client wants their values
 * @param credentials null where a certificate says who we are, or nothing does
 */
public record KafkaClientSettings(
        List<String> bootstrap,
        Map<String, Object> clientProperties,
        @Nullable SaslCredentials credentials) {

    /** What {@link #parse} found. */
    public sealed interface SettingsParseResult {}

    /** All is well. */
    public record ValidSettings(KafkaClientSettings settings) implements SettingsParseResult {}

    /** All that is wrong, at once. */
    public record InvalidSettings(List<SettingProblem> problems) implements SettingsParseResult {}

    /**
     * One wrong setting.
     *
     * @param value what was given, never a secret; empty where nothing was
     * @param problem what is wrong with it
     * @param remedy what to do
     */
    public record SettingProblem(String key, String value, String problem, String remedy) {
        @Override
        public String toString() {
            return key + (value.isEmpty() ? "" : " \"" + value + "\"") + " " + problem + ": " + remedy;
        }
    }

    public KafkaClientSettings {
        bootstrap = List.copyOf(bootstrap);
        clientProperties = Map.copyOf(clientProperties);
    }

    /** Reads what an operator has written, strictly. */
    public static SettingsParseResult parse(Map<String, String> given) {
        return new KafkaSettingsReader(given).read();
    }

    /** An unprotected Kafka on this machine, as tests and the demo have it. */
    public static KafkaClientSettings forLocalBroker(String bootstrap) {
        return switch (parse(Map.of(AllowedClientProperties.BOOTSTRAP, bootstrap))) {
            case ValidSettings validSettings -> validSettings.settings();
            case InvalidSettings invalidSettings ->
                throw new IllegalArgumentException(invalidSettings.problems().toString());
        };
    }

    /** The properties that all clients have in common, without serializers. */
    public Map<String, Object> common() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(AllowedClientProperties.BOOTSTRAP, String.join(",", bootstrap));
        properties.putAll(clientProperties);
        if (credentials != null) {
            properties.put(AllowedClientProperties.MECHANISM, credentials.mechanism());
            properties.put("sasl.jaas.config", credentials.jaas());
        }
        return properties;
    }

    /** For a consumer: what is common, and over it what the caller sets. */
    public Map<String, Object> consumer(Map<String, Object> own) {
        return over(common(), own);
    }

    /** For a producer: what is common, and over it what the caller sets. */
    public Map<String, Object> producer(Map<String, Object> own) {
        Map<String, Object> properties = common();
        properties.keySet().retainAll(ProducerConfig.configNames());
        return over(properties, own);
    }

    /** For an admin client whose every call ends by the deadline. */
    public Map<String, Object> admin(Duration deadline) {
        int millis = Math.toIntExact(deadline.toMillis());
        return over(common(), Map.of("default.api.timeout.ms", millis, "request.timeout.ms", millis));
    }

    /** The protocol that the brokers' listener must speak. */
    String protocol() {
        return clientProperties
                .getOrDefault(AllowedClientProperties.PROTOCOL, "PLAINTEXT")
                .toString();
    }

    private static Map<String, Object> over(Map<String, Object> common, Map<String, Object> own) {
        common.putAll(own);
        return common;
    }
}
