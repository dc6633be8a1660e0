package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.managementwatcher.ManagementClusterApi;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.managementwatcher.event.ObjectWriteKind;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.inplace.InPlaceClusters;
import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.managementwatcher.mode.SiteModeWatcher;
import dev.flotilla.managementwatcher.publish.WatcherContext;
import dev.flotilla.managementwatcher.publish.WatcherLoop;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.watch.ReflectorGroup;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A site with its tables in a real Kafka, and its watchers. */
public class WatchedTestSite implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(100);

    public final SiteId id;
    public final List<String> failedReads = new CopyOnWriteArrayList<>();
    public final List<WatchedKind> restoredKinds = new CopyOnWriteArrayList<>();
    public final List<String> kafkaFailures = new CopyOnWriteArrayList<>();
    public final List<String> writtenAnnotations = new CopyOnWriteArrayList<>();
    public final List<String> writtenConditions = new CopyOnWriteArrayList<>();
    public final List<String> writtenTasks = new CopyOnWriteArrayList<>();
    public final List<String> failedWrites = new CopyOnWriteArrayList<>();
    public final List<SiteMode> modes = new CopyOnWriteArrayList<>();
    public final List<String> foreignClusters = new CopyOnWriteArrayList<>();
    private final String bootstrap;
    private final Path kubeconfig;
    private final String namespace;
    private TableReader reader;
    private final TableWriter writer;
    private final List<Exception> writeFailures = new CopyOnWriteArrayList<>();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Map<RowKey, TableRow> rows = new LinkedHashMap<>();
    private final List<RowChange> receivedChanges = new ArrayList<>();
    private final List<RunningWatcher> watchers = new ArrayList<>();
    private SiteModeSetting setting = SiteModeSetting.DIRECT;
    private int writesPerSecond = ManagementClusterConfig.DEFAULT.writesPerSecond();
    private int maxConcurrentWrites = ManagementClusterConfig.DEFAULT.maxConcurrentWrites();

    /** Creates the site of the management cluster of a kubeconfig. */
    public WatchedTestSite(String bootstrap, String site, Path kubeconfig, String namespace) throws Exception {
        this.id = new SiteId(site);
        this.bootstrap = bootstrap;
        this.kubeconfig = kubeconfig;
        this.namespace = namespace;
        TopicCreator.createTopics(bootstrap, List.of(id));
        reader = reader();
        writer = new TableWriter(bootstrap, writeFailures::add);
    }

    private TableReader reader() {
        return new TableReader(
                bootstrap, List.of(TablePartition.of(Table.INVENTORY, id), TablePartition.of(Table.INTENTS, id)));
    }

    /** Deletes the topic of a table and creates it again, while its writers run. */
    public void recreateTopic(Table table) throws InterruptedException {
        reader.close();
        TopicCreator.delete(bootstrap, new Topic(table, id));
        TopicCreator.createTopics(bootstrap, List.of(id));
        rows.clear();
        reader = reader();
    }

    /** Sets the mode of watchers that are started later. */
    public WatchedTestSite withMode(SiteModeSetting other) {
        setting = other;
        return this;
    }

    /** Makes watchers that are started later write once a second, so that each write can be their last. */
    public WatchedTestSite withOneWriteASecond() {
        writesPerSecond = 1;
        maxConcurrentWrites = 1;
        return this;
    }

    /** A watcher that runs in this process. */
    public record RunningWatcher(
            ManagementClusterApi cluster,
            SiteModeWatcher mode,
            ReflectorGroup watches,
            WatcherLoop loop,
            InPlaceClusters inPlaceClusters)
            implements AutoCloseable {
        @Override
        public void close() {
            loop.close();
            inPlaceClusters.close();
            mode.close();
            watches.close();
            cluster.close();
        }
    }

    public RunningWatcher startWatcher(String name) throws Exception {
        return startWatcher(name, ProcessClock.SYSTEM);
    }

    public RunningWatcher startWatcher(String name, ProcessClock clock) throws Exception {
        ManagementClusterConfig defaults = ManagementClusterConfig.DEFAULT;
        ManagementClusterApi cluster = ManagementClusterApi.open(new ManagementClusterConfig(
                kubeconfig, setting, writesPerSecond, maxConcurrentWrites, defaults.timeout(), false));
        RecordingListener listening = new RecordingListener();
        SiteModeWatcher mode = SiteModeWatcher.start(setting, cluster.createModeProbe(), PROBE_INTERVAL, listening);
        InPlaceClusters inPlaceClusters = cluster.startInPlaceClusters(id, listening);
        WatcherLoop loop = new WatcherLoop(
                new WatcherContext(
                        name,
                        id,
                        KafkaClientSettings.forLocalBroker(bootstrap),
                        mode,
                        clock,
                        listening,
                        cluster.createObjectWriter(),
                        maxConcurrentWrites,
                        inPlaceClusters),
                cluster::uid);
        ReflectorGroup reflectorGroup = cluster.startWatches(id, loop.eventHandler());
        RunningWatcher runningWatcher = new RunningWatcher(cluster, mode, reflectorGroup, loop, inPlaceClusters);
        watchers.add(runningWatcher);
        loop.start();
        return runningWatcher;
    }

    public MachineKey machine(String name) {
        return new MachineKey(id, namespace, name);
    }

    public ClusterKey cluster(String name) {
        return new ClusterKey(id, namespace, name);
    }

    /** Writes a row for the watcher, or in its place. */
    public void write(RowChange rowChange) {
        writer.write(TablePartition.of(rowChange.rowKey().table(), id), rowChange, () -> {});
        writer.flush();
    }

    /** Returns the current row of a key; null for none. */
    public @Nullable TableRow readRow(Table table, EntityKey key) {
        for (TableRecord tableRecord : reader.poll(Duration.ofMillis(20))) {
            receivedChanges.add(tableRecord.rowChange());
            if (tableRecord.rowChange() instanceof TableRow row) {
                rows.put(row.rowKey(), row);
            } else {
                rows.remove(tableRecord.rowChange().rowKey());
            }
        }
        return rows.get(new RowKey(table, key));
    }

    public @Nullable TableRow readInventory(EntityKey key) {
        return readRow(Table.INVENTORY, key);
    }

    public @Nullable TableRow readIntent(EntityKey key) {
        return readRow(Table.INTENTS, key);
    }

    public @Nullable WatcherHeartbeat readHeartbeat() {
        return (WatcherHeartbeat) readInventory(id);
    }

    /** Returns how many machines have a row. */
    public long countMachines() {
        readInventory(id);
        return rows.keySet().stream()
                .filter(key -> key.table() == Table.INVENTORY && key.key() instanceof MachineKey)
                .count();
    }

    /** Returns all row changes except heartbeats since the last call. */
    public List<RowChange> drainChanges() {
        readInventory(id);
        List<RowChange> drained = receivedChanges.stream()
                .filter(rowChange -> !(rowChange instanceof WatcherHeartbeat))
                .toList();
        receivedChanges.clear();
        return drained;
    }

    public void await(String what, BooleanSupplier condition) {
        await(what, TIMEOUT, condition);
    }

    /** Waits for something that takes longer. */
    public void await(String what, Duration timeout, BooleanSupplier condition) {
        long end = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(bugs).isEmpty();
            assertThat(System.nanoTime())
                    .as("waiting for " + what + "; failed reads " + failedReads + ", kafka " + kafkaFailures)
                    .isLessThan(end);
            readInventory(id);
        }
        assertThat(bugs).isEmpty();
    }

    /** Waits for a new heartbeat. */
    public WatcherHeartbeat awaitNextHeartbeat() {
        WatcherHeartbeat before = readHeartbeat();
        await("a heartbeat", () -> !Objects.equals(readHeartbeat(), before));
        return Objects.requireNonNull(readHeartbeat());
    }

    public static Tombstone tombstone(Table table, EntityKey key) {
        return new Tombstone(new RowKey(table, key));
    }

    @Override
    public void close() {
        watchers.forEach(RunningWatcher::close);
        reader.close();
        writer.close();
    }

    private final class RecordingListener implements WatcherListener {
        @Override
        public void rowsPublished(int records) {}

        @Override
        public void removalsWithheld(int machines) {}

        @Override
        public void writerStateChanged(boolean now) {}

        @Override
        public void listFailed(WatchedKind watchedKind, String reason) {
            failedReads.add(watchedKind + ": " + reason);
        }

        @Override
        public void storeRestored(WatchedKind watchedKind, long known, long now) {
            restoredKinds.add(watchedKind);
        }

        @Override
        public void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations) {
            writtenAnnotations.add(object + " " + annotations);
        }

        @Override
        public void conditionWritten(ObjectKey object, String reason) {
            writtenConditions.add(object + " " + reason);
        }

        @Override
        public void defaultReleaseWritten(OwnerKey owner, @Nullable String release) {
            // Tests read the ConfigMap.
        }

        @Override
        public void upgradeTaskWritten(NamespacedName task, String change) {
            writtenTasks.add(task + " " + change);
        }

        @Override
        public void upgradeTaskWriteFailed(NamespacedName task, String reason) {
            failedWrites.add(task + ": " + reason);
        }

        @Override
        public void versionWritten(ClusterKey cluster, String object, String version) {
            // Tests read the object.
        }

        @Override
        public void versionsUnreadable(String reason) {
            failedReads.add(reason);
        }

        @Override
        public void writeFailed(ObjectWriteKind kind, ObjectKey object, String reason) {
            failedWrites.add(object + ": " + reason);
        }

        @Override
        public void modeDetected(SiteMode mode, String reason, @Nullable String modeConflict) {
            modes.add(mode);
        }

        @Override
        public void modeProbeFailed(String reason) {
            failedReads.add(reason);
        }

        @Override
        public void kafkaFailed(String reason, String message) {
            kafkaFailures.add(reason + ": " + message);
        }

        @Override
        public void clusterIdentityChanged(String expected, String found) {
            foreignClusters.add(expected + " is not " + found);
        }

        @Override
        public void loopFailed(Throwable bug) {
            bugs.add(bug);
        }
    }
}
