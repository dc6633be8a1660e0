package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.orchestrator.follow.DecodedRecord;
import dev.flotilla.orchestrator.leader.JournalHashChain;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Simulates the other processes on a real Kafka: operators, watchers and workers. */
public final class TableActorsFixture implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 64 * 1024 * 1024;

    private final KafkaProducer<byte[], byte[]> writer;
    private final PartitionReader reader;
    private final Map<RowKey, RowChange> rows = new LinkedHashMap<>();
    private final List<ConsumedRecord> journal = new ArrayList<>();
    private final List<RowChange> seen = new ArrayList<>();

    TableActorsFixture(String bootstrap, List<SiteId> sites) {
        KafkaClientSettings settings = KafkaClientSettings.forLocalBroker(bootstrap);
        try (TopicReconciler keeper = TopicReconciler.connect(settings, Duration.ofSeconds(20))) {
            keeper.create(TopicCatalogue.fleetTopics());
            sites.forEach(site -> keeper.create(TopicCatalogue.siteTopics(site)));
        }
        this.writer = new KafkaProducer<>(
                settings.producer(Map.of(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        MOST_BYTES,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        (long) MOST_BYTES,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "zstd")),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.reader = new PartitionReader(settings, "field", 1_000, Duration.ofSeconds(20));
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.add(TablePartition.of(Table.JOURNAL));
        reader.assign(places);
        reader.seekToBeginning(places);
    }

    void write(TableRow... written) {
        write(List.of(written));
    }

    void write(Collection<? extends TableRow> written) {
        writeRecords(written.stream()
                .map(WireRecordCodec::encode)
                .map(TableActorsFixture::withPartition)
                .toList());
    }

    void writeRecords(List<WireRecord> records) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (WireRecord record : records) {
            String key = record.key();
            List<Header> headers = new ArrayList<>();
            add(headers, WireHeaders.TYPE, record.headers().type());
            add(headers, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
            add(headers, WireHeaders.SEQ, record.headers().seq());
            sent.add(writer.send(new ProducerRecord<>(
                    record.topic(),
                    record.partition(),
                    null,
                    key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                    record.value(),
                    headers)));
        }
        writer.flush();
        sent.forEach(Future::resultNow);
    }

    private static void add(List<Header> headers, String name, String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static WireRecord withPartition(WireRecord record) {
        return switch (WireRecordCodec.decode(record)) {
            case DecodeResult.Accepted<RowChange> accepted ->
                new WireRecord(
                        record.topic(),
                        OrchestratorPartitions.partitionOf(accepted.value().rowKey())
                                .partition(),
                        record.key(),
                        record.value(),
                        record.headers());
            case DecodeResult.Rejected<RowChange> rejected -> throw new IllegalArgumentException(rejected.toString());
        };
    }

    /** Reads until a condition holds. */
    void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("never came: " + what + "; rows: " + rows.values());
            }
            for (ConsumedRecord consumedRecord : reader.poll(Duration.ofMillis(100))) {
                if (consumedRecord.partition().table() == Table.JOURNAL) {
                    journal.add(consumedRecord);
                }
                RowChange rowChange = new DecodedRecord(consumedRecord).rowChange();
                if (rowChange == null) {
                    throw new AssertionError("cannot be read: " + consumedRecord);
                }
                seen.add(rowChange);
                if (rowChange instanceof Tombstone) {
                    rows.remove(rowChange.rowKey());
                } else {
                    rows.put(rowChange.rowKey(), rowChange);
                }
            }
        }
    }

    /** The current rows of a type. */
    <T extends RowChange> Stream<T> currentRows(Class<T> type) {
        return rows.values().stream().filter(type::isInstance).map(type::cast);
    }

    /** All row changes of a type that were read. */
    <T extends RowChange> Stream<T> allChanges(Class<T> type) {
        return seen.stream().filter(type::isInstance).map(type::cast);
    }

    List<JournalRecord> journal() {
        return allChanges(JournalRecord.class).toList();
    }

    List<ConsumedRecord> journalAsStored() {
        return journal;
    }

    /**
     * Reads until the head row is the one of the journal's last record. A transaction writes both, but they are read from two partitions, so
     * one may be read before the other.
     */
    void awaitJournalUpToHead() {
        await(
                "the journal up to the head row",
                () -> currentRows(FleetHead.class).anyMatch(head -> head.seq() == journal.size()));
    }

    /** Reads until there is a row of a type for which a condition holds, and returns the first. */
    <T extends RowChange> T awaitRow(String what, Class<T> type, Predicate<T> condition) {
        await(what, () -> currentRows(type).anyMatch(condition));
        return currentRows(type).filter(condition).findFirst().orElseThrow();
    }

    /** Asserts that the journal has every number and an intact hash chain, from its first record to the head row's. */
    void assertIntactHashChain() {
        awaitJournalUpToHead();
        String previous = "";
        long seq = 0;
        List<JournalRecord> records = journal();
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).previousHash())
                    .as("previous of record " + (seq + 1))
                    .isEqualTo(previous);
            assertThat(records.get(i).seq()).isEqualTo(++seq);
            previous = JournalHashChain.hashOf(journal.get(i).record());
        }
        FleetHead head = currentRows(FleetHead.class).findFirst().orElseThrow();
        assertThat(head.seq()).isEqualTo(seq);
        assertThat(head.journalHash()).isEqualTo(previous);
    }

    /** A worker's report that a machine is at its target. */
    AttemptProgress succeeded(WorkerCommand.UpgradeMachine command) {
        return new AttemptProgress(
                command.key(),
                command.uid(),
                command.attemptId(),
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "2000", "v1.33.1"),
                Instant.ofEpochMilli(System.currentTimeMillis()));
    }

    public static WatcherHeartbeat heartbeat(SiteId site) {
        return new WatcherHeartbeat(
                site, "uid-of-" + site, "watcher-1", Instant.ofEpochMilli(System.currentTimeMillis()), 0);
    }

    public static ClusterRow cluster(SiteId site, String name, int workers) {
        return new ClusterRow(
                new ClusterKey(site, "fleet", name), "uid-" + name, Labels.NONE, false, false, null, 0, workers);
    }

    public static MachineRow worker(SiteId site, String cluster, int number) {
        String name = cluster + "-w-" + number;
        return new MachineRow(
                new MachineKey(site, "fleet", name),
                "uid-" + name,
                cluster,
                null,
                MachineRole.WORKER,
                Labels.NONE,
                name,
                null,
                site + "-" + name,
                true,
                false,
                false,
                false,
                false,
                "1.32",
                "v1.32.1",
                "1000",
                "amd64",
                List.of());
    }

    @Override
    public void close() {
        writer.close();
        reader.close();
    }
}
