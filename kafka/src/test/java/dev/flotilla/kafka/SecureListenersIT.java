package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.kafka.BrokerListener;
import dev.flotilla.testkit.kafka.KafkaOptions;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connects to each kind of secure listener with settings as operators write them. */
class SecureListenersIT {
    @TempDir
    static Path folder;

    private static LocalKafka kafka;
    private static String trusted;

    @BeforeAll
    static void start() {
        kafka = LocalKafka.start(KafkaOptions.defaults()
                .withListeners(
                        BrokerListener.PLAINTEXT, BrokerListener.TLS, BrokerListener.MUTUAL_TLS, BrokerListener.SCRAM)
                .withScramUser("anna", "a \"good\" pass\\word"));
        trusted = kafka.authority().write(folder).toString();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void connectsOverTlsWithCaFromFile() {
        assertThat(readTransactionVersion(tls(BrokerListener.TLS))).isEqualTo(2);
    }

    @Test
    void connectsOverMutualTlsWithKeyAndCertificateFromFiles() {
        Map<String, String> settings = tls(BrokerListener.MUTUAL_TLS);
        settings.put("ssl.keystore.type", "PEM");
        settings.put(
                "ssl.keystore.location",
                kafka.authority().issue("anna").write(folder).toString());
        assertThat(readTransactionVersion(settings)).isEqualTo(2);
    }

    @Test
    void connectsWithScramOverTlsAndPasswordFromFile() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "a \"good\" pass\\word\n");
        Map<String, String> settings = tls(BrokerListener.SCRAM);
        settings.put("sasl.username", "anna");
        settings.put("sasl.password.file", password.toString());
        assertThat(readTransactionVersion(settings)).isEqualTo(2);
    }

    @Test
    void reportsWrongPasswordWithoutShowingIt() {
        Map<String, String> settings = tls(BrokerListener.SCRAM);
        settings.put("sasl.username", "anna");
        settings.put("sasl.password", "wrong-pa55");
        assertThatThrownBy(() -> readTransactionVersion(settings))
                .isInstanceOfSatisfying(
                        KafkaFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.NOT_ALLOWED))
                .hasMessageContaining("check user and password")
                .hasMessageNotContaining("wrong-pa55");
    }

    @Test
    void rejectsBrokerWithUntrustedCertificate() {
        Map<String, String> settings = tls(BrokerListener.TLS);
        settings.put(
                "ssl.truststore.location",
                CertificateAuthority.create("stranger").write(folder).toString());
        assertThatThrownBy(() -> readTransactionVersion(settings))
                .isInstanceOfSatisfying(
                        KafkaFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.NOT_ALLOWED));
    }

    @Test
    void mutualTlsListenerRejectsClientWithoutCertificate() {
        assertThatThrownBy(() -> readTransactionVersion(tls(BrokerListener.MUTUAL_TLS)))
                .isInstanceOf(KafkaFailure.class);
    }

    @Test
    void reportsWrongListenerForPlaintextAtTlsListener() {
        assertThatThrownBy(() -> readTransactionVersion(
                        Map.of("bootstrap.servers", kafka.bootstrap(BrokerListener.TLS)), Duration.ofSeconds(2)))
                .isInstanceOf(KafkaFailure.class)
                .hasMessageContaining("check that this listener uses PLAINTEXT");
    }

    private static Map<String, String> tls(BrokerListener brokerListener) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("bootstrap.servers", kafka.bootstrap(brokerListener));
        settings.put("security.protocol", brokerListener.protocol());
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.location", trusted);
        return settings;
    }

    private static int readTransactionVersion(Map<String, String> settings) {
        return readTransactionVersion(settings, Duration.ofSeconds(30));
    }

    private static int readTransactionVersion(Map<String, String> settings, Duration deadline) {
        KafkaClientSettings.SettingsParseResult settingsParseResult = KafkaClientSettings.parse(settings);
        assertThat(settingsParseResult).isInstanceOf(KafkaClientSettings.ValidSettings.class);
        try (TopicReconciler keeper = TopicReconciler.connect(
                ((KafkaClientSettings.ValidSettings) settingsParseResult).settings(), deadline)) {
            return keeper.transactionVersion();
        }
    }
}
