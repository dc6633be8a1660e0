package dev.flotilla.bench.kafka;

import dev.flotilla.bench.rig.PlainKafkaClients;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.TopicReconciler;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * A JVM that reads the tables of a fleet once: {@code ours} as a standby restores them, {@code plain} with a consumer
 * that discards the records. Prints the number of records and the nanoseconds, and ends.
 */
public final class ColdRestoreMain {
    static final String OURS = "ours";
    static final String PLAIN = "plain";
    static final String READ = "read ";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private ColdRestoreMain() {}

    /** {@code ours|plain BOOTSTRAP}. */
    public static void main(String[] args) throws InterruptedException {
        long began = System.nanoTime();
        long records = args[0].equals(OURS) ? restore(args[1]) : consume(args[1]);
        System.out.println(READ + records + " " + (System.nanoTime() - began));
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
        List<TablePartition> places = new ArrayList<>();
        try (TopicReconciler topics =
                TopicReconciler.connect(KafkaClientSettings.forLocalBroker(bootstrap), PATIENCE)) {
            places.addAll(OrchestratorPartitions.outputs(topics.findCompleteSites()));
            places.addAll(OrchestratorPartitions.inputs(topics.findCompleteSites()));
        }
        List<TopicPartition> partitions =
                places.stream().map(UpgradedFleetTables::partition).toList();
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
