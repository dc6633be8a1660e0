package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.testkit.kafka.KafkaOptions;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Configures Kafka's log cleaner to run as often as possible: segments last a millisecond, and superseded records and
 * tombstones in closed segments are deleted at once.
 */
final class AggressiveLogCompactor {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> EAGER = Map.of(
            "segment.ms", "1",
            "min.compaction.lag.ms", "0",
            "max.compaction.lag.ms", "1",
            "min.cleanable.dirty.ratio", "0",
            "delete.retention.ms", "0");

    private final LocalKafka kafka;
    private final List<TablePartition> places;

    AggressiveLogCompactor(LocalKafka kafka, Collection<SiteId> sites) {
        this.kafka = kafka;
        this.places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.addAll(OrchestratorPartitions.inputs(sites));
        configureCleaner();
    }

    /** Starts a Kafka whose log cleaner runs continuously. */
    static LocalKafka start() {
        return LocalKafka.start(KafkaOptions.defaults().withProperty("log.cleaner.backoff.ms", "50"));
    }

    private void configureCleaner() {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        for (TablePartition tablePartition : places) {
            changes.put(
                    new ConfigResource(ConfigResource.Type.TOPIC, topic(tablePartition)),
                    EAGER.entrySet().stream()
                            .map(each -> new AlterConfigOp(
                                    new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                            .toList());
        }
        try (Admin admin = Admin.create(kafka.superUser())) {
            admin.incrementalAlterConfigs(changes).all().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("setting topics", e);
        }
    }

    /**
     * Waits until no table has two records of one key in closed segments. Returns the number of remaining records in
     * all tables.
     */
    int awaitCompaction() {
        long until = System.nanoTime() + PATIENCE.toNanos();
        try (PartitionReader reader = new PartitionReader(
                KafkaClientSettings.forLocalBroker(kafka.bootstrap()), "sweep", 10_000, Duration.ofSeconds(10))) {
            reader.assign(places);
            while (System.nanoTime() < until) {
                reader.seekToBeginning(places);
                Map<TablePartition, Long> ends = reader.endOffsets(places);
                List<ConsumedRecord> all = new ArrayList<>();
                while (ends.entrySet().stream().anyMatch(end -> reader.nextOffset(end.getKey()) < end.getValue())) {
                    all.addAll(reader.poll(Duration.ofMillis(20)));
                }
                if (isCompacted(all)) {
                    return all.size();
                }
            }
        }
        throw new AssertionError("the log cleaner did not come everywhere within " + PATIENCE);
    }

    private boolean isCompacted(List<ConsumedRecord> all) {
        Map<TablePartition, Long> active = new HashMap<>();
        Set<String> keys = new HashSet<>();
        for (ConsumedRecord consumedRecord : all) {
            boolean closed = consumedRecord.offset()
                    < active.computeIfAbsent(consumedRecord.partition(), this::activeSegmentStart);
            if (closed
                    && !keys.add(consumedRecord.partition() + " "
                            + consumedRecord.record().key())) {
                return false;
            }
        }
        // Every commit writes this table: if it has no closed segment, there was nothing to compact yet.
        return active.getOrDefault(TablePartition.of(Table.HEAD), 0L) > 0;
    }

    /** A segment's files are named by its first offset. */
    private long activeSegmentStart(TablePartition tablePartition) {
        Path folder =
                kafka.folder().resolve("broker-1").resolve(topic(tablePartition) + "-" + tablePartition.partition());
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".log"))
                    .mapToLong(name -> Long.parseLong(name.substring(0, name.length() - ".log".length())))
                    .max()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String topic(TablePartition tablePartition) {
        return new Topic(tablePartition.table(), tablePartition.site()).name();
    }
}
