package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.RejectionReason;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the connection to Kafka. The client's settings are passed through; each application validates them with a
 * check.
 *
 * @param client the client's settings without secrets
 * @param secretsFile a properties file with the secret settings
 */
public record KafkaConfig(
        String bootstrapServers,
        SortedMap<String, String> client,
        @Nullable Path secretsFile) {
    public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

    /** Validates all settings of the client together. */
    @FunctionalInterface
    public interface PropertyCheck {
        List<PropertyProblem> findProblems(Map<String, String> settings);
    }

    /** A problem of one client setting. */
    public record PropertyProblem(
            String setting, String problem, @Nullable String hint) {}

    public KafkaConfig {
        client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
    }

    /** Returns all settings of the client, including secrets: they must not be logged. */
    public SortedMap<String, String> settings() throws IOException {
        SortedMap<String, String> all = new TreeMap<>(client);
        if (secretsFile != null) {
            Properties secrets = new Properties();
            try (Reader reader = Files.newBufferedReader(secretsFile, StandardCharsets.UTF_8)) {
                secrets.load(reader);
            }
            secrets.stringPropertyNames().forEach(name -> all.put(name, secrets.getProperty(name)));
        }
        all.put(BOOTSTRAP_SERVERS, bootstrapServers);
        return all;
    }

    /** Returns a codec that also validates the client's settings with a check. */
    public static JsonCodec<KafkaConfig> codec(PropertyCheck propertyCheck) {
        var kafka = JsonObjectCodec.<KafkaConfig>of("kafka", "The connection to Kafka.");
        var servers = kafka.required(
                "bootstrapServers",
                ScalarCodecs.text(1, 4_096),
                "The bootstrap brokers, each as <host>:<port>, separated by commas.",
                KafkaConfig::bootstrapServers);
        var client = kafka.<SortedMap<String, String>>defaulted(
                "client",
                new ClientPropertiesCodec(),
                Collections.emptySortedMap(),
                "Settings of the Kafka client by their Kafka names, such as security.protocol, without secrets.",
                KafkaConfig::client);
        var secrets = kafka.optional(
                "secretsFile",
                ConfigCodecs.FILE,
                "A properties file with secret settings of the Kafka client, such as sasl.password or"
                        + " ssl.keystore.password.",
                KafkaConfig::secretsFile);
        return kafka.build((v, at, problems) ->
                checked(new KafkaConfig(v.get(servers), v.get(client), v.get(secrets)), propertyCheck, at, problems));
    }

    private static @Nullable KafkaConfig checked(
            KafkaConfig config, PropertyCheck propertyCheck, JsonValue at, ProblemCollector problems) {
        try {
            List<PropertyProblem> flaws = propertyCheck.findProblems(config.settings());
            for (PropertyProblem propertyProblem : flaws) {
                problems.enter("client");
                problems.enter(propertyProblem.setting());
                problems.add(
                        RejectionReason.BAD_VALUE,
                        new JsonValue.JsonString("", at.line()),
                        propertyProblem.problem(),
                        propertyProblem.hint());
                problems.leave();
                problems.leave();
            }
            return flaws.isEmpty() ? config : null;
        } catch (IOException | IllegalArgumentException e) {
            // Not the library's message: it may quote the line, which may contain a secret.
            problems.add(
                    RejectionReason.BAD_VALUE,
                    new JsonValue.JsonString("", at.line()),
                    "has a secretsFile that is not a properties file",
                    "write each line as <name>=<value>");
            return null;
        }
    }
}
