package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * A JVM that reads the tables of a fleet once: {@code standby} as a standby restores them, {@code plain} with a consumer
 * that discards the records. Prints the number of records and the nanoseconds, and ends.
 */
public final class ColdRestoreMain {
    static final String STANDBY = "standby";
    static final String PLAIN = "plain";
    static final String READ = "read ";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private ColdRestoreMain() {}

    /** {@code standby|plain BOOTSTRAP}. */
    public static void main(String[] args) throws InterruptedException {
        long started = System.nanoTime();
        long records = args[0].equals(STANDBY) ? restore(args[1]) : consume(args[1]);
        System.out.println(READ + records + " " + (System.nanoTime() - started));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static long restore(String bootstrap) throws InterruptedException {
        MeasuredOrchestratorLoop loop = new MeasuredOrchestratorLoop(bootstrap);
        loop.start();
        MeasuredOrchestratorLoop.await("restored", () -> loop.restoredRecords() >= 0);
        return loop.restoredRecords();
    }

    private static long consume(String bootstrap) {
        List<TablePartition> tablePartitions = new ArrayList<>();
        try (TopicReconciler topics = TopicReconciler.connect(KafkaClientSettings.forLocalBroker(bootstrap), TIMEOUT)) {
            tablePartitions.addAll(OrchestratorPartitions.outputs(topics.findCompleteSites()));
            tablePartitions.addAll(OrchestratorPartitions.inputs(topics.findCompleteSites()));
        }
        List<TopicPartition> partitions =
                tablePartitions.stream().map(UpgradedFleetTables::partition).toList();
        long records = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = PlainKafkaClients.consumer(bootstrap, "bench-cold")) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                records += consumer.poll(POLL).count();
            }
        }
        return records;
    }
}
