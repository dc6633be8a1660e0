package dev.flotilla.auditor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.check.JournalAudit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TopicFollowerTest {
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final MockConsumer<byte[], byte[]> uncommitted = new MockConsumer<>("earliest");
    private final List<InvariantViolation> found = new ArrayList<>();
    private final JournalAudit journalAudit = new JournalAudit(found::add);
    private long now;
    private final TopicFollower topicFollower = new TopicFollower(consumer, uncommitted, journalAudit, () -> now);

    private TopicPartition topic(String name) {
        consumer.updatePartitions(name, List.of(new PartitionInfo(name, 0, null, null, null)));
        TopicPartition partition = new TopicPartition(name, 0);
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 0L));
        uncommitted.updateEndOffsets(Map.of(partition, 0L));
        return partition;
    }

    private void steps() {
        for (int i = 0; i < 4; i++) {
            now += 600;
            topicFollower.pollRecords();
        }
    }

    @Test
    void followsFlotillasTopicsAndThoseOfNewSites() {
        topic("flotilla.journal");
        topic("flotilla.inventory.berlin");
        topic("somebody.elses");
        topicFollower.startReading(false, Duration.ofSeconds(1));
        assertThat(topicFollower.topics()).containsExactly("flotilla.inventory.berlin", "flotilla.journal");
        topic("flotilla.status.oslo");
        now += 2000;
        topicFollower.pollRecords();
        assertThat(topicFollower.topics()).contains("flotilla.status.oslo");
    }

    @Test
    void isCaughtUpAfterReadingAllRecords() {
        TopicPartition commands = topic("flotilla.commands.berlin");
        topicFollower.startReading(false, Duration.ofSeconds(1));
        steps();
        assertThat(topicFollower.isCaughtUp()).isTrue();
        assertThat(topicFollower.lag()).isZero();
        consumer.updateEndOffsets(Map.of(commands, 1L));
        consumer.addRecord(new ConsumerRecord<>(
                commands.topic(), 0, 0, "machine/fleet/w1".getBytes(StandardCharsets.UTF_8), new byte[] {'{', '}'}));
        steps();
        assertThat(topicFollower.isCaughtUp()).isTrue();
        assertThat(found)
                .as("a command that cannot be read, and is not the orchestrator's")
                .hasSize(1);
    }

    @Test
    void reportsPartitionsThatAnOpenTransactionBlocks() {
        TopicPartition orders = topic("flotilla.orders");
        topicFollower.startReading(false, Duration.ofSeconds(1));
        uncommitted.updateEndOffsets(Map.of(orders, 3L));
        steps();
        assertThat(topicFollower.describeBlocked()).as("after 2.4 s").isEmpty();
        steps();
        assertThat(topicFollower.describeBlocked()).containsExactly("flotilla.orders partition 0 from offset 0 on");
        uncommitted.updateEndOffsets(Map.of(orders, 0L));
        steps();
        assertThat(topicFollower.describeBlocked()).isEmpty();
    }

    @Test
    void ordersOneFreeze() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        FreezeOrderWriter freeze = new FreezeOrderWriter(() -> producer);
        InvariantViolation invariantViolation = new InvariantViolation(
                dev.flotilla.auditor.check.AuditInvariant.CAPS, Instant.EPOCH, 7, "one \"too\" many");
        assertThat(freeze.writeFreeze(invariantViolation)).contains("FROZE");
        assertThat(freeze.writeFreeze(invariantViolation)).isEmpty();
        assertThat(producer.history()).hasSize(1);
        assertThat(new String(producer.history().get(0).value(), StandardCharsets.UTF_8))
                .isEqualTo("{\"order\":\"fleet/freeze\",\"id\":\"auditor-7-0\",\"requestedBy\":\"auditor\",\"reason\":"
                        + "\"VIOLATION 1-caps at 1970-01-01T00:00:00Z seq 7: one \\\"too\\\" many\","
                        + "\"verb\":\"freeze\"}");
    }
}
