package dev.flotilla.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Settings of Kafka clients. Client properties come from a configuration only through this class, and only those in
 * {@link AllowedClientProperties}. Secrets are Kafka's {@code Password}, whose text is hidden, so neither this record nor its
 * maps show them.
 *
 * @param bootstrap addresses as {@code host:port}
 * @param clientProperties properties for every client, with parsed values
 * @param credentials null if a certificate authenticates the client, or nothing does
 */
public record KafkaClientSettings(
        List<String> bootstrap,
        Map<String, Object> clientProperties,
        @Nullable SaslCredentials credentials) {

    /** The result of {@link #parse}. */
    public sealed interface SettingsParseResult {}

    /** The settings are valid. */
    public record ValidSettings(KafkaClientSettings settings) implements SettingsParseResult {}

    /** All problems of the settings. */
    public record InvalidSettings(List<SettingProblem> problems) implements SettingsParseResult {}

    /**
     * A problem of one setting.
     *
     * @param value the given value, never a secret; empty if there is none
     * @param problem the problem
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

    /** Parses the settings in a configuration, strictly. */
    public static SettingsParseResult parse(Map<String, String> given) {
        return new KafkaSettingsReader(given).read();
    }

    /** Settings for an unprotected Kafka on this machine, for tests and the demo. */
    public static KafkaClientSettings forLocalBroker(String bootstrap) {
        return switch (parse(Map.of(AllowedClientProperties.BOOTSTRAP, bootstrap))) {
            case ValidSettings validSettings -> validSettings.settings();
            case InvalidSettings invalidSettings ->
                throw new IllegalArgumentException(invalidSettings.problems().toString());
        };
    }

    /** Returns the common properties of all clients, without serializers. */
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

    /** Returns the texts of all secrets, for a filter that keeps them out of what is shown. */
    public List<String> secretTexts() {
        List<String> secrets = new ArrayList<>();
        common().values().forEach(value -> {
            if (value instanceof Password secret) {
                secrets.add(secret.value());
            }
        });
        if (credentials != null) {
            secrets.add(credentials.password().value());
        }
        return secrets;
    }

    /** Returns the properties of a consumer: the common ones, overridden by the caller's. */
    public Map<String, Object> consumer(Map<String, Object> own) {
        return over(common(), own);
    }

    /** Returns the properties of a producer: the common ones, overridden by the caller's. */
    public Map<String, Object> producer(Map<String, Object> own) {
        Map<String, Object> properties = common();
        properties.keySet().retainAll(ProducerConfig.configNames());
        return over(properties, own);
    }

    /** Returns the properties of an admin client whose calls end by a deadline. */
    public Map<String, Object> admin(Duration deadline) {
        int millis = Math.toIntExact(deadline.toMillis());
        return over(common(), Map.of("default.api.timeout.ms", millis, "request.timeout.ms", millis));
    }

    /** Returns the protocol that the brokers' listener must use. */
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
