package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes stored tables into empty topics, each record at its original offset, because head rows refer to offsets. A
 * missing offset was a transaction marker, so a transaction ends there again.
 */
final class StoredTableLoader {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String bootstrap;
    private final StoredTables tables;

    StoredTableLoader(String bootstrap, StoredTables tables) {
        this.bootstrap = bootstrap;
        this.tables = tables;
    }

    void load() {
        Map<String, List<StoredTables.Stored>> partitions = new LinkedHashMap<>();
        for (StoredTables.Stored each : tables.records()) {
            partitions
                    .computeIfAbsent(each.partition(), first -> new ArrayList<>())
                    .add(each);
        }
        partitions.forEach((partition, records) -> {
            long end = tables.ends().get(partition);
            if (records.size() == end) {
                plain(records);
            } else {
                transactional(partition, records, end);
            }
        });
        awaitEnds();
    }

    private void plain(List<StoredTables.Stored> records) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            records.forEach(each -> sent(producer, each.record()));
        }
    }

    private void transactional(String partition, List<StoredTables.Stored> records, long end) {
        try (KafkaProducer<byte[], byte[]> producer =
                producer(Map.of("transactional.id", "loader-" + partition, "retry.backoff.ms", 2))) {
            producer.initTransactions();
            producer.beginTransaction();
            long next = 0;
            for (StoredTables.Stored each : records) {
                if (next < each.offset()) {
                    producer.commitTransaction();
                    producer.beginTransaction();
                    next++;
                }
                if (next != each.offset()) {
                    throw new IllegalArgumentException(
                            partition + " has nothing at " + next + ", where no transaction can have ended");
                }
                sent(producer, each.record());
                next++;
            }
            producer.commitTransaction();
            if (next + 1 != end) {
                throw new IllegalArgumentException(partition + " ends at " + end + ", and not after " + next);
            }
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> properties = new LinkedHashMap<>(more);
        properties.put("bootstrap.servers", bootstrap);
        properties.put("linger.ms", 0);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void sent(KafkaProducer<byte[], byte[]> producer, WireRecord record) {
        List<Header> headers = new ArrayList<>();
        add(headers, WireHeaders.TYPE, record.headers().type());
        add(headers, WireHeaders.SCHEMA_VERSION, record.headers().schemaVersion());
        add(headers, WireHeaders.SEQ, record.headers().seq());
        String key = record.key();
        var unused = producer.send(new ProducerRecord<>(
                record.topic(),
                record.partition(),
                null,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                record.value(),
                headers));
    }

    private static void add(List<Header> headers, String name, String value) {
        if (value != null) {
            headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** A transaction may be complete before its marker is written everywhere. */
    private void awaitEnds() {
        Map<TopicPartition, Long> wanted = new LinkedHashMap<>();
        tables.ends().forEach((partition, end) -> {
            int slash = partition.indexOf('/');
            wanted.put(
                    new TopicPartition(partition.substring(0, slash), Integer.parseInt(partition.substring(slash + 1))),
                    end);
        });
        long until = System.nanoTime() + PATIENCE.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(wanted.keySet());
            while (!ends.equals(wanted)) {
                if (System.nanoTime() > until) {
                    throw new AssertionError("loaded up to " + ends + ", and wanted " + wanted);
                }
                ends = consumer.endOffsets(wanted.keySet());
            }
        }
    }
}
