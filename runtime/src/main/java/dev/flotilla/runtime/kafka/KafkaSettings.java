package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * How to reach Kafka: the only way by which client properties come from outside, and only those of {@link ClientKeys}.
 * Secrets are held as Kafka's {@code Password}, which prints as hidden, so neither this nor the maps show any.
 *
 * @param bootstrap addresses as {@code host:port}
 * @param passed properties for every client, as the client wants their values
 * @param credentials null where a certificate says who we are, or nothing does
 */
public record KafkaSettings(
        List<String> bootstrap,
        Map<String, Object> passed,
        @Nullable Credentials credentials) {

    /** What {@link #parse} found. */
    public sealed interface Parsed {}

    /** All is well. */
    public record Good(KafkaSettings settings) implements Parsed {}

    /** All that is wrong, at once. */
    public record Bad(List<Problem> problems) implements Parsed {}

    /**
     * One wrong setting.
     *
     * @param value what was given, never a secret; empty where nothing was
     * @param problem what is wrong with it
     * @param remedy what to do
     */
    public record Problem(String key, String value, String problem, String remedy) {
        @Override
        public String toString() {
            return key + (value.isEmpty() ? "" : " \"" + value + "\"") + " " + problem + ": " + remedy;
        }
    }

    public KafkaSettings {
        bootstrap = List.copyOf(bootstrap);
        passed = Map.copyOf(passed);
    }

    /** Reads what an operator has written, strictly. */
    public static Parsed parse(Map<String, String> given) {
        return new SettingsReader(given).read();
    }

    /** An unprotected Kafka on this machine, as tests and the demo have it. */
    public static KafkaSettings onThisMachine(String bootstrap) {
        return switch (parse(Map.of(ClientKeys.BOOTSTRAP, bootstrap))) {
            case Good good -> good.settings();
            case Bad bad -> throw new IllegalArgumentException(bad.problems().toString());
        };
    }

    /** The properties that all clients have in common, without serializers. */
    public Map<String, Object> common() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put(ClientKeys.BOOTSTRAP, String.join(",", bootstrap));
        properties.putAll(passed);
        if (credentials != null) {
            properties.put(ClientKeys.MECHANISM, credentials.mechanism());
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
        return passed.getOrDefault(ClientKeys.PROTOCOL, "PLAINTEXT").toString();
    }

    private static Map<String, Object> over(Map<String, Object> common, Map<String, Object> own) {
        common.putAll(own);
        return common;
    }
}
