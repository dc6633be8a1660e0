package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A plain exactly-once client: reads worker reports, and for each writes as many records of the same size as the
 * orchestrator, into as many partitions. It does not decide, decode or encode.
 */
final class PlainExactlyOnceClient {
    static final String JOURNAL = "bench.journal";
    static final String ROWS = "bench.rows";

    private static final long COMMIT_NANOS = LeaderTermRunner.URGENT_COMMIT_INTERVAL.toNanos();
    private static final Duration POLL = LeaderTermRunner.URGENT_COMMIT_INTERVAL;
    private static final int MOST_RECORDS = 5_000;
    private static final double SECOND = 1e9;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<ProducerRecord<byte[], byte[]>> samples;
    private final double writes;
    private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    private double owedRecords;
    private int next;
    private int sent;

    private PlainExactlyOnceClient(
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaProducer<byte[], byte[]> producer,
            List<ProducerRecord<byte[], byte[]>> samples,
            double writes) {
        this.consumer = consumer;
        this.producer = producer;
        this.samples = samples;
        this.writes = writes;
    }

    /** Reads all reports repeatedly for at least the given time. Returns reports per second. */
    static double measure(String bootstrap, List<SiteId> sites, List<WireRecord> samples, double writes, Duration leg) {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainKafkaClients.consumer(bootstrap, "bench");
                KafkaProducer<byte[], byte[]> producer = PlainKafkaClients.transactional(bootstrap, "bench.plain")) {
            List<ProducerRecord<byte[], byte[]>> prepared =
                    samples.stream().map(sample -> prepareRecord(sample, sites)).toList();
            return new PlainExactlyOnceClient(consumer, producer, prepared, writes).run(partitions(sites), leg);
        }
    }

    private static ProducerRecord<byte[], byte[]> prepareRecord(WireRecord record, List<SiteId> sites) {
        Topic topic = Topic.parse(record.topic());
        SiteId site = topic == null ? null : topic.site();
        return new ProducerRecord<>(
                site == null ? JOURNAL : ROWS,
                site == null ? 0 : sites.indexOf(site),
                null,
                RowSender.key(record),
                record.value(),
                RowSender.headers(record));
    }

    private static List<TopicPartition> partitions(List<SiteId> sites) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (SiteId site : sites) {
            for (int partition = 0; partition < Table.PROGRESS.partitions(); partition++) {
                partitions.add(new TopicPartition(new Topic(Table.PROGRESS, site).name(), partition));
            }
        }
        return partitions;
    }

    private double run(List<TopicPartition> partitions, Duration leg) {
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long started = System.nanoTime();
        long committed = started;
        long records = 0;
        boolean open = false;
        while (System.nanoTime() - started < leg.toNanos()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (!open) {
                    producer.beginTransaction();
                    open = true;
                }
                write(record);
                records++;
                if (sent >= MOST_RECORDS) {
                    commit();
                    open = false;
                    committed = System.nanoTime();
                }
            }
            if (open && System.nanoTime() - committed >= COMMIT_NANOS) {
                commit();
                open = false;
                committed = System.nanoTime();
            }
            if (ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                consumer.seekToBeginning(partitions);
            }
        }
        if (open) {
            commit();
        }
        return records * SECOND / (System.nanoTime() - started);
    }

    private void write(ConsumerRecord<byte[], byte[]> read) {
        offsets.put(new TopicPartition(read.topic(), read.partition()), new OffsetAndMetadata(read.offset() + 1));
        for (owedRecords += writes; owedRecords >= 1; owedRecords--) {
            var unused = producer.send(samples.get(next++ % samples.size()));
            sent++;
        }
    }

    private void commit() {
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        producer.commitTransaction();
        offsets.clear();
        sent = 0;
    }
}
