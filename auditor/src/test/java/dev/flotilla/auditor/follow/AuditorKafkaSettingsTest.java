package dev.flotilla.auditor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of Kafka's client that an operator may set are those of the other processes, with which the chart shares them. */
class AuditorKafkaSettingsTest {
    private static AuditorKafkaSettings read(String name, String value) {
        Properties file = new Properties();
        file.setProperty(name, value);
        return new AuditorKafkaSettings("kafka-0.example:9093", file);
    }

    @ParameterizedTest
    @CsvSource({
        "client.dns.lookup, use_all_dns_ips",
        "client.rack, east",
        "connections.max.idle.ms, 1800000",
        "default.api.timeout.ms, 60000",
        "metadata.max.age.ms, 60000",
        "receive.buffer.bytes, 65536",
        "reconnect.backoff.max.ms, 5000",
        "reconnect.backoff.ms, 100",
        "request.timeout.ms, 20000",
        "retry.backoff.max.ms, 5000",
        "retry.backoff.ms, 100",
        "send.buffer.bytes, 65536",
        "socket.connection.setup.timeout.max.ms, 30000",
        "socket.connection.setup.timeout.ms, 10000",
        "ssl.truststore.location, /etc/flotilla/kafka/ca.pem"
    })
    void settingOfTheClientIsPassedOn(String name, String value) {
        AuditorKafkaSettings settings = read(name, value);
        assertThat(settings.problems()).isEmpty();
        assertThat(settings.consumer()).containsEntry(name, value);
    }

    @ParameterizedTest
    @CsvSource({"sasl.jaas.config", "interceptor.classes", "metric.reporters", "isolation.level"})
    void settingThatNamesAClassOrIsFixedIsRefused(String name) {
        assertThat(read(name, "x").problems()).containsExactly("setting \"" + name + "\" cannot be set here");
    }

    /** A request must end before the delivery of a freeze does. */
    @Test
    void timeoutOfAFreezeIsFixed() {
        assertThat(read("request.timeout.ms", "90000").producer()).containsEntry("request.timeout.ms", 10_000);
    }
}
