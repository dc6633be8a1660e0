package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Another producer begins a transaction and goes silent: whoever looks at the fleet sees what waits for it. */
class HeldBackIT {
    private static final int TIMEOUT_MILLIS = 60_000;

    @Test
    void anOpenTransactionIsToldWhereverAnOperatorLooks() throws IOException, InterruptedException {
        try (FleetOnKafka fleet = new FleetOnKafka()) {
            assertThat(fleet.run("site add east").exit()).isZero();
            fleet.startOrchestratorWithApi();
            fleet.heard("east", 2);
            fleet.until("fleet status", ran -> ran.out().contains("2 machines in 1 sites"));
            assertThat(fleet.run("fleet status").out()).doesNotContain("held back");

            try (KafkaProducer<byte[], byte[]> stranger = producer(fleet.bootstrap())) {
                stranger.initTransactions();
                stranger.beginTransaction();
                write(stranger, "flotilla.orders", 0);
                write(stranger, "flotilla.progress.east", 3);

                Ran freeze = fleet.run("fleet freeze --why drill --wait 2");
                System.out.println("HeldBackIT: " + freeze.all());
                if (freeze.exit() != Exit.DONE) {
                    assertThat(freeze.err())
                            .contains(
                                    "is written, and waits: an open transaction of producer somebodys-tool is before it"
                                            + " in flotilla.orders")
                            .contains("the broker ends it by ");
                }
                Ran status = fleet.until("fleet status", ran -> ran.out().contains("progress.east"));
                System.out.println("HeldBackIT: " + status.out());
                assertThat(status.out())
                        .contains("held back: An open transaction of producer somebodys-tool holds back flotilla.orders"
                                + " partition 0 from offset ")
                        .contains("held back: An open transaction of producer somebodys-tool holds back"
                                + " flotilla.progress.east partition 3 from offset ");
                assertThat(fleet.run("fleet status -o json").json())
                        .contains("\"heldBack\":[{\"topic\":\"flotilla.orders\"");
                JsonObject answer = fleet.ask("/api/v1/fleet");
                assertThat(answer.getJsonArray("heldBack")).hasSize(2);
                assertThat(answer.getJsonArray("heldBack").getJsonObject(1).getString("site"))
                        .isEqualTo("east");
                stranger.abortTransaction();
            }
            fleet.until("fleet status", ran -> !ran.out().contains("held back"));
        }
    }

    private static void write(KafkaProducer<byte[], byte[]> producer, String topic, int partition) {
        producer.send(new ProducerRecord<>(
                topic, partition, "strange".getBytes(StandardCharsets.UTF_8), "{}".getBytes(StandardCharsets.UTF_8)));
        producer.flush();
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "somebodys-tool",
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        TIMEOUT_MILLIS),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
