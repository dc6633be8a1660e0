package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaClientSettingsTest {
    private static final Map<String, String> SCRAM = Map.of(
            "bootstrap.servers", "kafka-1:9093, kafka-2:9093",
            "security.protocol", "SASL_SSL",
            "sasl.username", "flotilla-orchestrator",
            "sasl.password", "s3\"cr\\et");

    @TempDir
    Path folder;

    @Test
    void buildsJaasLine() {
        Map<String, Object> client = parseValid(SCRAM).common();
        assertThat(client)
                .containsEntry("bootstrap.servers", "kafka-1:9093,kafka-2:9093")
                .containsEntry("sasl.mechanism", "SCRAM-SHA-512")
                .containsEntry(
                        "sasl.jaas.config",
                        new Password("org.apache.kafka.common.security.scram.ScramLoginModule required"
                                + " username=\"flotilla-orchestrator\" password=\"s3\\\"cr\\\\et\";"));
    }

    @Test
    void showsNoSecrets() {
        KafkaClientSettings settings = parseValid(with(SCRAM, "ssl.key.password", "t0psecret"));
        assertThat(settings + " " + settings.common() + settings.admin(Duration.ofSeconds(5)))
                .contains("flotilla-orchestrator", "kafka-1:9093")
                .doesNotContain("s3", "t0psecret");
    }

    @Test
    void listsItsSecretsForThoseWhoMaskThem() {
        KafkaClientSettings settings = parseValid(with(SCRAM, "ssl.key.password", "t0psecret"));
        assertThat(settings.secretTexts())
                .contains("s3\"cr\\et", "t0psecret")
                .noneMatch(text -> text.contains("kafka-1"));
    }

    @Test
    void readsPasswordFromFile() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "from-file\n");
        Map<String, String> given = without(with(SCRAM, "sasl.password.file", file.toString()), "sasl.password");
        assertThat(((Password) parseValid(given).common().get("sasl.jaas.config")).value())
                .contains("password=\"from-file\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sasl.jaas.config",
                "sasl.client.callback.handler.class",
                "sasl.login.callback.handler.class",
                "sasl.login.class",
                "sasl.oauthbearer.token.endpoint.url",
                "interceptor.classes",
                "key.deserializer",
                "value.serializer",
                "partitioner.class",
                "metric.reporters",
                "partition.assignment.strategy",
                "security.providers",
                "ssl.engine.factory.class",
                "group.id",
                "transactional.id",
                "acks",
                "config.providers",
                "made.up.class"
            })
    void rejectsClassesAndOwnSettings(String key) {
        assertThat(parseInvalid(with(SCRAM, key, "com.evil.JndiLoginModule")))
                .extracting(KafkaClientSettings.SettingProblem::key, KafkaClientSettings.SettingProblem::value)
                .containsExactly(tuple(key, "[hidden]"));
    }

    @Test
    void allowsNoPropertyThatNamesAClass() {
        assertThat(AllowedClientProperties.knownProperties())
                .noneMatch(key -> key.contains("class")
                        || key.contains("jaas")
                        || key.contains("serializer")
                        || key.contains("provider")
                        || key.contains("url")
                        || key.contains("interceptor"));
    }

    @Test
    void suggestsCorrectSpelling() {
        assertThat(parseInvalid(with(SCRAM, "request.timeout", "5000")))
                .extracting(KafkaClientSettings.SettingProblem::remedy)
                .containsExactly("did you mean request.timeout.ms?");
        assertThat(parseInvalid(with(SCRAM, "sasl.mechanism", "SCRAM-SHA512")))
                .extracting(KafkaClientSettings.SettingProblem::remedy)
                .containsExactly("did you mean SCRAM-SHA-512?");
    }

    @Test
    void reportsAllProblemsAtOnceWithRemedies() {
        List<KafkaClientSettings.SettingProblem> problems = parseInvalid(Map.of(
                "bootstrap.servers", "kafka-1",
                "security.protocol", "SASL_SSL",
                "request.timeout.ms", "soon",
                "ssl.truststore.location", "/does/not/exist.pem",
                "ssl.endpoint.identification.algorithm", "",
                "ssl.enabled.protocols", "TLSv1.3,TLSv1",
                "allowPlaintext", "yes"));
        assertThat(problems)
                .extracting(KafkaClientSettings.SettingProblem::key)
                .containsExactlyInAnyOrder(
                        "bootstrap.servers",
                        "request.timeout.ms",
                        "ssl.truststore.location",
                        "sasl.username",
                        "sasl.password.file",
                        "allowPlaintext",
                        "ssl.endpoint.identification.algorithm",
                        "ssl.enabled.protocols");
        assertThat(problems)
                .allSatisfy(
                        settingProblem -> assertThat(settingProblem.remedy()).isNotBlank());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka-1:9092", "10.0.0.1:9092", "127.evil.example:9092", "localhost.example:9092"})
    void rejectsPlaintextToAnotherMachine(String broker) {
        assertThat(parseInvalid(Map.of("bootstrap.servers", "localhost:9092," + broker)))
                .singleElement()
                .satisfies(settingProblem -> {
                    assertThat(settingProblem.key()).isEqualTo("security.protocol");
                    assertThat(settingProblem.toString()).contains(broker, "allowPlaintext");
                });
        assertThat(parseValid(Map.of("bootstrap.servers", broker, "allowPlaintext", "true"))
                        .common())
                .containsEntry("security.protocol", "PLAINTEXT")
                .doesNotContainKey("allowPlaintext");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9092", "127.0.0.1:9092", "[::1]:9092"})
    void allowsPlaintextToThisMachine(String broker) {
        assertThat(KafkaClientSettings.forLocalBroker(broker).bootstrap()).containsExactly(broker);
    }

    @Test
    void rejectsPasswordWithoutSasl() {
        assertThat(parseInvalid(with(SCRAM, "security.protocol", "SSL")))
                .extracting(KafkaClientSettings.SettingProblem::key, KafkaClientSettings.SettingProblem::value)
                .containsExactly(tuple("sasl.username", "flotilla-orchestrator"), tuple("sasl.password", "[hidden]"));
    }

    @Test
    void parsesValuesForTheClient() {
        KafkaClientSettings settings = parseValid(with(SCRAM, "request.timeout.ms", "5000"));
        assertThat(settings.consumer(Map.of("group.id", "g")))
                .containsEntry("request.timeout.ms", 5000)
                .containsEntry("group.id", "g");
        assertThat(parseValid(with(SCRAM, "default.api.timeout.ms", "7000")).producer(Map.of("acks", "all")))
                .containsEntry("acks", "all")
                .doesNotContainKey("default.api.timeout.ms");
        assertThat(settings.admin(Duration.ofSeconds(2))).containsEntry("default.api.timeout.ms", 2000);
    }

    private static KafkaClientSettings parseValid(Map<String, String> given) {
        KafkaClientSettings.SettingsParseResult settingsParseResult = KafkaClientSettings.parse(given);
        assertThat(settingsParseResult).isInstanceOf(KafkaClientSettings.ValidSettings.class);
        return ((KafkaClientSettings.ValidSettings) settingsParseResult).settings();
    }

    private static List<KafkaClientSettings.SettingProblem> parseInvalid(Map<String, String> given) {
        KafkaClientSettings.SettingsParseResult settingsParseResult = KafkaClientSettings.parse(given);
        assertThat(settingsParseResult).isInstanceOf(KafkaClientSettings.InvalidSettings.class);
        return ((KafkaClientSettings.InvalidSettings) settingsParseResult).problems();
    }

    private static Map<String, String> with(Map<String, String> given, String key, String value) {
        Map<String, String> more = new HashMap<>(given);
        more.put(key, value);
        return more;
    }

    private static Map<String, String> without(Map<String, String> given, String key) {
        Map<String, String> fewer = new HashMap<>(given);
        fewer.remove(key);
        return fewer;
    }
}
