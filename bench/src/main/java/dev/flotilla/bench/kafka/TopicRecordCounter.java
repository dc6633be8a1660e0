package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.PlainKafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Counts what is written into the topics of a fleet between two instants, without transaction markers. */
final class TopicRecordCounter {
    private static final String PREFIX = "flotilla.";
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaTestBed kafkaTestBed;
    private final Map<TopicPartition, Long> from = new HashMap<>();
    private SortedMap<String, Long> diskBefore = new TreeMap<>();

    private TopicRecordCounter(KafkaTestBed kafkaTestBed) {
        this.kafkaTestBed = kafkaTestBed;
    }

    /**
     * Result of counting.
     *
     * @param records by table
     * @param bytes of keys, values and headers, by table
     * @param disk bytes in the brokers' folders, by table
     */
    record TopicRecordCount(
            SortedMap<String, Long> records, SortedMap<String, Long> bytes, SortedMap<String, Long> disk) {
        long allRecords() {
            return sum(records);
        }

        long allBytes() {
            return sum(bytes);
        }

        long allDisk() {
            return sum(disk);
        }

        private static long sum(SortedMap<String, Long> each) {
            return each.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Starts counting. */
    static TopicRecordCounter startCounting(KafkaTestBed kafkaTestBed) throws InterruptedException {
        TopicRecordCounter counter = new TopicRecordCounter(kafkaTestBed);
        try (KafkaConsumer<byte[], byte[]> consumer =
                PlainKafkaClients.consumer(kafkaTestBed.bootstrap(), "bench-record-counter")) {
            counter.from.putAll(consumer.endOffsets(counter.topicPartitions(consumer)));
        }
        counter.diskBefore = counter.disk();
        return counter;
    }

    TopicRecordCount stopCounting() throws InterruptedException {
        SortedMap<String, Long> records = new TreeMap<>();
        SortedMap<String, Long> bytes = new TreeMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                PlainKafkaClients.consumer(kafkaTestBed.bootstrap(), "bench-record-counter")) {
            consumer.assign(from.keySet());
            from.forEach(consumer::seek);
            Map<TopicPartition, Long> ends = consumer.endOffsets(from.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    records.merge(table(record.topic()), 1L, Long::sum);
                    bytes.merge(table(record.topic()), size(record), Long::sum);
                }
            }
        }
        SortedMap<String, Long> disk = disk();
        diskBefore.forEach((table, before) -> disk.merge(table, -before, Long::sum));
        return new TopicRecordCount(records, bytes, disk);
    }

    private List<TopicPartition> topicPartitions(KafkaConsumer<byte[], byte[]> consumer) {
        List<TopicPartition> topicPartitions = new ArrayList<>();
        consumer.listTopics().forEach((topic, partitions) -> {
            if (topic.startsWith(PREFIX)) {
                partitions.forEach(each -> topicPartitions.add(new TopicPartition(topic, each.partition())));
            }
        });
        return topicPartitions;
    }

    private SortedMap<String, Long> disk() throws InterruptedException {
        try (Admin admin = kafkaTestBed.admin()) {
            List<Integer> brokers =
                    kafkaTestBed
                            .await(
                                    "describing the cluster",
                                    admin.describeCluster().nodes())
                            .stream()
                            .map(node -> node.id())
                            .toList();
            SortedMap<String, Long> disk = new TreeMap<>();
            kafkaTestBed
                    .await(
                            "describing the log folders",
                            admin.describeLogDirs(brokers).allDescriptions())
                    .values()
                    .stream()
                    .flatMap(folders -> folders.values().stream())
                    .map(LogDirDescription::replicaInfos)
                    .flatMap(replicas -> replicas.entrySet().stream())
                    .filter(replica -> replica.getKey().topic().startsWith(PREFIX))
                    .forEach(replica -> disk.merge(
                            table(replica.getKey().topic()), replica.getValue().size(), Long::sum));
            return disk;
        }
    }

    private static String table(String topic) {
        int dot = topic.indexOf('.', PREFIX.length());
        return topic.substring(PREFIX.length(), dot < 0 ? topic.length() : dot);
    }

    private static long size(ConsumerRecord<byte[], byte[]> record) {
        long size = Math.max(0L, record.serializedKeySize()) + Math.max(0L, record.serializedValueSize());
        for (Header header : record.headers()) {
            size += header.key().length() + (header.value() == null ? 0 : header.value().length);
        }
        return size;
    }
}
