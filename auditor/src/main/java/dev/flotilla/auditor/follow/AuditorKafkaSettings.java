package dev.flotilla.auditor.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of the Kafka clients: those that an operator may set, and those that are fixed. */
public final class AuditorKafkaSettings {
    private static final String USER = "sasl.user";
    private static final String PASSWORD = "sasl.password";
    private static final String MECHANISM = "sasl.mechanism";
    private static final String PLAIN = "PLAIN";

    private static final Set<String> ALLOWED = Set.of(
            "security.protocol",
            MECHANISM,
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
            "ssl.truststore.location",
            "ssl.truststore.password",
            "ssl.truststore.type",
            "ssl.truststore.certificates",
            "ssl.keystore.location",
            "ssl.keystore.password",
            "ssl.keystore.type",
            "ssl.keystore.key",
            "ssl.keystore.certificate.chain",
            "ssl.key.password",
            "ssl.protocol",
            "ssl.enabled.protocols",
            "ssl.cipher.suites",
            "ssl.endpoint.identification.algorithm");

    private final Map<String, Object> common = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    public AuditorKafkaSettings(String bootstrap, Properties file) {
        common.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        common.put(CommonClientConfigs.CLIENT_ID_CONFIG, "flotilla-auditor");
        for (String name : file.stringPropertyNames()) {
            if (ALLOWED.contains(name)) {
                common.put(name, file.getProperty(name));
            } else if (!name.equals(USER) && !name.equals(PASSWORD)) {
                problems.add("setting \"" + name + "\" cannot be set here");
            }
        }
        credentials(file);
    }

    private void credentials(Properties file) {
        String user = file.getProperty(USER);
        String password = file.getProperty(PASSWORD);
        if (user == null && password == null) {
            return;
        }
        if (user == null || password == null) {
            problems.add("settings \"" + USER + "\" and \"" + PASSWORD + "\" go together: one of them is missing");
            return;
        }
        String mechanism = file.getProperty(MECHANISM, "");
        boolean plain = mechanism.equals(PLAIN);
        if (!plain && !mechanism.startsWith("SCRAM-SHA-")) {
            problems.add("setting \"" + MECHANISM + "\" is \"" + mechanism
                    + "\" and must be PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512 with a user");
            return;
        }
        String module = plain
                ? "org.apache.kafka.common.security.plain.PlainLoginModule"
                : "org.apache.kafka.common.security.scram.ScramLoginModule";
        common.put(
                "sasl.jaas.config",
                module + " required username=" + quoted(user) + " password=" + quoted(password) + ";");
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** What is wrong with the file; never contains a value that may be a secret. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    Map<String, Object> consumer() {
        Map<String, Object> settings = new TreeMap<>(common);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2000);
        // The auditor may read a moment late and must not cost the brokers much.
        settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 64 * 1024);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 200);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return settings;
    }

    /** For reading end offsets, including uncommitted records. */
    Map<String, Object> uncommitted() {
        Map<String, Object> settings = consumer();
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        return settings;
    }

    Map<String, Object> producer() {
        Map<String, Object> settings = new TreeMap<>(common);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return settings;
    }
}
