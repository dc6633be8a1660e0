package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.term.Places;
import dev.flotilla.runtime.kafka.KafkaSettings;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.runtime.kafka.TopicKeeper;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topics;
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
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Whoever else writes and reads the tables: operators, watchers and workers, played by hand on a real Kafka. */
final class Field implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 64 * 1024 * 1024;

    private final KafkaProducer<byte[], byte[]> writer;
    private final PartitionReader reader;
    private final Map<RowKey, Fact> rows = new LinkedHashMap<>();
    private final List<Read> journal = new ArrayList<>();
    private final List<Fact> seen = new ArrayList<>();

    Field(String bootstrap, List<SiteId> sites) {
        KafkaSettings settings = KafkaSettings.onThisMachine(bootstrap);
        try (TopicKeeper keeper = TopicKeeper.connect(settings, Duration.ofSeconds(20))) {
            keeper.create(Topics.ofFleet());
            sites.forEach(site -> keeper.create(Topics.ofSite(site)));
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
        List<Place> places = new ArrayList<>(Places.outputs(sites));
        places.add(Place.of(Table.JOURNAL));
        reader.assign(places);
        reader.seekToBeginning(places);
    }

    void write(Row... written) {
        write(List.of(written));
    }

    void write(Collection<? extends Row> written) {
        raw(written.stream().map(Wire::encode).map(Field::placed).toList());
    }

    void raw(List<WireRecord> records) {
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

    private static WireRecord placed(WireRecord record) {
        return switch (Wire.decode(record)) {
            case Decoded.Accepted<Fact> accepted ->
                new WireRecord(
                        record.topic(),
                        Places.placeOf(accepted.value().at()).partition(),
                        record.key(),
                        record.value(),
                        record.headers());
            case Decoded.Refused<Fact> refused -> throw new IllegalArgumentException(refused.toString());
        };
    }

    /** Reads on until something is so. */
    void await(String what, BooleanSupplier so) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("never came: " + what + "; rows: " + rows.values());
            }
            for (Read read : reader.poll(Duration.ofMillis(100))) {
                if (read.place().table() == Table.JOURNAL) {
                    journal.add(read);
                }
                Fact fact = new Arrival(read).fact();
                if (fact == null) {
                    throw new AssertionError("cannot be read: " + read);
                }
                seen.add(fact);
                if (fact instanceof Gone) {
                    rows.remove(fact.at());
                } else {
                    rows.put(fact.at(), fact);
                }
            }
        }
    }

    /** The rows of a type that stand now. */
    <T extends Fact> Stream<T> now(Class<T> type) {
        return rows.values().stream().filter(type::isInstance).map(type::cast);
    }

    /** Everything that was ever read of a type. */
    <T extends Fact> Stream<T> ever(Class<T> type) {
        return seen.stream().filter(type::isInstance).map(type::cast);
    }

    List<JournalRecord> journal() {
        return ever(JournalRecord.class).toList();
    }

    List<Read> journalAsStored() {
        return journal;
    }

    /** The journal has every number and every hash, from its first record to what the head says. */
    void assertWholeChain() {
        String previous = "";
        long seq = 0;
        List<JournalRecord> records = journal();
        for (int i = 0; i < records.size(); i++) {
            assertThat(records.get(i).previous())
                    .as("previous of record " + (seq + 1))
                    .isEqualTo(previous);
            assertThat(records.get(i).seq()).isEqualTo(++seq);
            previous = Chain.after(journal.get(i).record());
        }
        FleetHead head = now(FleetHead.class).findFirst().orElseThrow();
        assertThat(head.seq()).isEqualTo(seq);
        assertThat(head.chain()).isEqualTo(previous);
    }

    /** A worker's word that a machine is at its target. */
    Progress succeeded(Command.UpgradeMachine command) {
        return new Progress(
                command.key(),
                command.uid(),
                command.attempt(),
                new Report.Succeeded(Report.Proof.UPGRADED, "2000", "v1.33.1"),
                Instant.ofEpochMilli(System.currentTimeMillis()));
    }

    static Heartbeat heartbeat(SiteId site) {
        return new Heartbeat(site, "uid-of-" + site, "watcher-1", Instant.ofEpochMilli(System.currentTimeMillis()), 0);
    }

    static ClusterRow cluster(SiteId site, String name, int workers) {
        return new ClusterRow(
                new ClusterKey(site, "fleet", name), "uid-" + name, Labels.NONE, false, false, null, 0, workers);
    }

    static MachineRow worker(SiteId site, String cluster, int number) {
        String name = cluster + "-w-" + number;
        return new MachineRow(
                new MachineKey(site, "fleet", name),
                "uid-" + name,
                cluster,
                null,
                Role.WORKER,
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
