package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records that the brokers reject, so that no reader of Flotilla can receive them. */
class RejectedRecordsIT {
    private static final String ORDERS = Topic.of(Table.ORDERS).name();
    private static final String JOURNAL = Topic.of(Table.JOURNAL).name();

    private static LocalKafka kafka;
    private static AclTestClient aclTestClient;

    @BeforeAll
    static void start() {
        kafka = LocalKafka.start();
        KafkaClientSettings settings = KafkaClientSettings.forLocalBroker(kafka.bootstrap());
        try (TopicReconciler keeper = TopicReconciler.connect(settings, Duration.ofSeconds(20))) {
            keeper.create(TopicCatalogue.fleetTopics());
        }
        aclTestClient = new AclTestClient(settings);
    }

    @AfterAll
    static void stop() {
        aclTestClient.close();
        kafka.close();
    }

    @Test
    void brokerRejectsRecordWithoutKeyInATable() throws Exception {
        assertThatThrownBy(() -> send(ORDERS, null, new byte[1])).hasCauseInstanceOf(InvalidRecordException.class);
        assertThat(send(JOURNAL, null, new byte[1])).isNotNegative();
    }

    @Test
    void brokerRejectsTombstoneWithoutKey() {
        assertThatThrownBy(() -> send(ORDERS, null, null)).hasCauseInstanceOf(InvalidRecordException.class);
    }

    @Test
    void brokerRejectsBatchAboveTheTopicsLimit() throws Exception {
        assertThatThrownBy(() -> send(ORDERS, AclTestClient.KEY, new byte[TopicCatalogue.MAX_MESSAGE_BYTES]))
                .hasCauseInstanceOf(RecordTooLargeException.class);
        assertThat(send(ORDERS, AclTestClient.KEY, new byte[TopicCatalogue.MAX_MESSAGE_BYTES - 1024]))
                .isNotNegative();
    }

    @Test
    void brokerCreatesNoTopicForAMistypedName() throws Exception {
        try (Admin admin = Admin.create(kafka.superUser())) {
            assertThatThrownBy(() -> admin.describeTopics(List.of("flotilla.order"))
                            .allTopicNames()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
            assertThatThrownBy(() -> admin.createTopics(List.of(new NewTopic("flotilla.few", 1, (short) 3)))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .as("three replicas on one broker")
                    .isNotNull();
        }
    }

    private static long send(String topic, byte[] key, byte[] value) throws Exception {
        try (var producer = aclTestClient.producer(Map.of())) {
            return producer.send(new ProducerRecord<>(topic, key, value))
                    .get(20, TimeUnit.SECONDS)
                    .offset();
        }
    }
}
