package dev.flotilla.orchestrator.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a checkpoint read from a real Kafka: the rows within the cut, and rows that cannot be read. */
class CheckpointReaderIT {
    private static final SiteId EAST = new SiteId("east");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long CUT = 10;

    private LocalKafka kafka;
    private KafkaClientSettings settings;

    @BeforeEach
    void start() {
        kafka = LocalKafka.start();
        settings = KafkaClientSettings.forLocalBroker(kafka.bootstrap());
        try (TopicReconciler topicReconciler = TopicReconciler.connect(settings, PATIENCE)) {
            topicReconciler.create(TopicCatalogue.fleetTopics());
            topicReconciler.create(TopicCatalogue.siteTopics(EAST));
        }
    }

    @AfterEach
    void stop() {
        kafka.close();
    }

    @Test
    void readsTheNewestRowOfEachKeyWithinTheCut() {
        MachineStatus at = status("a", "second");
        write(status("a", "first"), 3);
        write(at, CUT);
        write(status("a", "third"), CUT + 1);
        write(status("new", "first"), CUT + 2);
        assertThat(read()).last().isEqualTo(new CheckpointChunk.CheckpointEnd(3));
        assertThat(rows()).filteredOn(MachineStatus.class::isInstance).containsExactly(at);
    }

    @Test
    void failsWhenCompactionMayHaveRemovedRowsOfTheCut() throws Exception {
        allowImmediateCompaction("flotilla.status.east");
        write(status("a", "third"), CUT + 1);
        assertThat(read())
                .last()
                .isInstanceOfSatisfying(
                        CheckpointChunk.CheckpointFailed.class,
                        checkpointFailed -> assertThat(checkpointFailed.reason())
                                .contains("status.east")
                                .contains("machine/fleet/a"));
    }

    @Test
    void failsAtAnUnreadableOwnRow() {
        write(new WireRecord(
                "flotilla.status.east",
                0,
                "machine/fleet/a",
                "{".getBytes(StandardCharsets.UTF_8),
                WireRecordCodec.encode(status("a", "first"), 3L).headers()));
        assertThat(read()).last().isInstanceOf(CheckpointChunk.CheckpointFailed.class);
    }

    private List<RowChange> rows() {
        return read().stream()
                .filter(CheckpointChunk.ChunkRows.class::isInstance)
                .flatMap(checkpointChunk -> ((CheckpointChunk.ChunkRows) checkpointChunk).rows().stream())
                .toList();
    }

    private List<CheckpointChunk> read() {
        ConsistentCut consistentCut = new ConsistentCut(
                new FleetHead(1, CUT, Instant.EPOCH, "", 1, true, List.of()), Map.of(EAST, SiteHead.of(EAST)));
        List<CheckpointChunk> chunks = new ArrayList<>();
        try (CheckpointReader checkpointReader =
                new CheckpointReader(settings, "test", PATIENCE, consistentCut, Map.of(), List.of(EAST), () -> {})) {
            checkpointReader.start();
            while (chunks.isEmpty() || chunks.getLast() instanceof CheckpointChunk.ChunkRows) {
                CheckpointChunk checkpointChunk = checkpointReader.pollChunk();
                if (checkpointChunk == null) {
                    Thread.onSpinWait();
                } else {
                    chunks.add(checkpointChunk);
                }
            }
        }
        return chunks;
    }

    private static MachineStatus status(String name, String uid) {
        return new MachineStatus(new MachineKey(EAST, "fleet", name), uid, null, null, List.of());
    }

    private void write(MachineStatus row, long seq) {
        WireRecord record = WireRecordCodec.encode(row, seq);
        write(new WireRecord(record.topic(), 0, record.key(), record.value(), record.headers()));
    }

    private void write(WireRecord record) {
        try (TransactionalRowWriter writer = new TransactionalRowWriter(settings, "test", PATIENCE)) {
            writer.init();
            writer.begin();
            writer.send(record);
            writer.commit();
        }
    }

    private void allowImmediateCompaction(String topic) throws Exception {
        try (Admin admin = Admin.create(settings.admin(PATIENCE))) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("min.compaction.lag.ms", "0"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }
}
