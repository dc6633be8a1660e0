package dev.flotilla.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * The client properties that a configuration may set. It is an allowlist: a new release of the client brings new properties that
 * name classes, files and addresses, and each one must be reviewed before it is added.
 */
final class AllowedClientProperties {
    static final String BOOTSTRAP = "bootstrap.servers";
    static final String PROTOCOL = "security.protocol";
    static final String MECHANISM = "sasl.mechanism";
    static final String USER = "sasl.username";
    static final String PASSWORD = "sasl.password";
    static final String PASSWORD_FILE = "sasl.password.file";
    static final String ALLOW_PLAINTEXT = "allowPlaintext";

    /** Settings that Flotilla translates into client properties. */
    private static final List<String> TRANSLATED =
            List.of(BOOTSTRAP, MECHANISM, USER, PASSWORD, PASSWORD_FILE, ALLOW_PLAINTEXT);

    /** Properties that are passed to the clients unchanged. */
    private static final Set<String> PASSED_THROUGH = Set.of(
            PROTOCOL,
            "client.dns.lookup",
            "client.rack",
            "connections.max.idle.ms",
            "default.api.timeout.ms",
            "metadata.max.age.ms",
            "receive.buffer.bytes",
            "reconnect.backoff.max.ms",
            "reconnect.backoff.ms",
            "request.timeout.ms",
            "retry.backoff.max.ms",
            "retry.backoff.ms",
            "send.buffer.bytes",
            "socket.connection.setup.timeout.max.ms",
            "socket.connection.setup.timeout.ms",
            "ssl.cipher.suites",
            "ssl.enabled.protocols",
            "ssl.endpoint.identification.algorithm",
            "ssl.key.password",
            "ssl.keystore.certificate.chain",
            "ssl.keystore.key",
            "ssl.keystore.location",
            "ssl.keystore.password",
            "ssl.keystore.type",
            "ssl.protocol",
            "ssl.truststore.certificates",
            "ssl.truststore.location",
            "ssl.truststore.password",
            "ssl.truststore.type");

    /** The consumer's definition has all passed properties. */
    private static final ConfigDef CONSUMER = ConsumerConfig.configDef();

    private AllowedClientProperties() {}

    static boolean isAllowed(String key) {
        return PASSED_THROUGH.contains(key);
    }

    static boolean isKnown(String key) {
        return PASSED_THROUGH.contains(key) || TRANSLATED.contains(key);
    }

    /** Returns all allowed keys, sorted. */
    static SortedSet<String> knownProperties() {
        SortedSet<String> all = new TreeSet<>(PASSED_THROUGH);
        all.addAll(TRANSLATED);
        return all;
    }

    /** Whether the value must not be shown; true for unknown keys. */
    static boolean isSecret(String key) {
        return key.equals(PASSWORD) || !isKnown(key) || (isAllowed(key) && type(key) == ConfigDef.Type.PASSWORD);
    }

    /** Parses a value as the client expects it; throws Kafka's ConfigException if it is invalid. */
    static Object parseValue(String key, String value) {
        Object read = ConfigDef.parseType(key, value, type(key));
        ConfigDef.Validator validator = definition(key).validator;
        if (validator != null) {
            validator.ensureValid(key, read);
        }
        return read;
    }

    /** Returns why a Kafka property is not allowed; null if Kafka has no such property. */
    static @Nullable String rejectionReason(String key) {
        if (key.startsWith("sasl.jaas") || key.contains("login.") || key.contains("callback")) {
            return "names a class to load; leave it out and give " + USER + " and " + PASSWORD_FILE;
        }
        List<String> kafkas = new ArrayList<>(ConsumerConfig.configNames());
        kafkas.addAll(ProducerConfig.configNames());
        kafkas.addAll(AdminClientConfig.configNames());
        if (!kafkas.contains(key)) {
            return null;
        }
        boolean loads = key.contains("class")
                || key.endsWith("serializer")
                || key.contains("provider")
                || key.endsWith("reporters")
                || key.contains("factory");
        return loads
                ? "names a class to load, which a configuration must not do; leave it out"
                : "is set by Flotilla or has no effect; leave it out";
    }

    private static ConfigDef.Type type(String key) {
        return definition(key).type;
    }

    private static ConfigDef.ConfigKey definition(String key) {
        return Objects.requireNonNull(CONSUMER.configKeys().get(key), key);
    }
}
