package dev.flotilla.managementwatcher.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.ManagementClusterApi;
import dev.flotilla.managementwatcher.config.ManagementClusterConfig;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.managementwatcher.mode.SiteModeWatcher;
import dev.flotilla.managementwatcher.publish.WatcherClock;
import dev.flotilla.managementwatcher.publish.WatcherContext;
import dev.flotilla.managementwatcher.publish.WatcherLoop;
import dev.flotilla.managementwatcher.publish.WatcherLoopListener;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.watch.ReflectorGroup;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
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
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration LOOKS = Duration.ofMillis(100);

    public final SiteId id;
    public final List<String> unseen = new CopyOnWriteArrayList<>();
    public final List<WatchedKind> setBack = new CopyOnWriteArrayList<>();
    public final List<String> kafkaFailures = new CopyOnWriteArrayList<>();
    public final List<String> amended = new CopyOnWriteArrayList<>();
    public final List<String> conditioned = new CopyOnWriteArrayList<>();
    public final List<String> unamended = new CopyOnWriteArrayList<>();
    public final List<DetectedSiteMode> modes = new CopyOnWriteArrayList<>();
    public final List<String> others = new CopyOnWriteArrayList<>();
    private final String bootstrap;
    private final Path kubeconfig;
    private final String namespace;
    private TableReader view;
    private final TableWriter writer;
    private final List<Exception> unwritten = new CopyOnWriteArrayList<>();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final Map<RowKey, TableRow> rows = new LinkedHashMap<>();
    private final List<RowChange> written = new ArrayList<>();
    private final List<RunningWatcher> watchers = new ArrayList<>();
    private SiteModeSetting setting = SiteModeSetting.DIRECT;

    /** On the management cluster that a kubeconfig leads to. */
    public WatchedTestSite(String bootstrap, String site, Path kubeconfig, String namespace) throws Exception {
        this.id = new SiteId(site);
        this.bootstrap = bootstrap;
        this.kubeconfig = kubeconfig;
        this.namespace = namespace;
        TopicCreator.createTopics(bootstrap, List.of(id));
        view = view();
        writer = new TableWriter(bootstrap, unwritten::add);
    }

    private TableReader view() {
        return new TableReader(
                bootstrap, List.of(TablePartition.of(Table.INVENTORY, id), TablePartition.of(Table.INTENTS, id)));
    }

    /** Deletes the topic of a table and creates it again, while whoever writes to it goes on. */
    public void recreate(Table table) throws InterruptedException {
        view.close();
        TopicCreator.delete(bootstrap, new Topic(table, id));
        TopicCreator.createTopics(bootstrap, List.of(id));
        rows.clear();
        view = view();
    }

    /** With another mode for the watchers that are still to come. */
    public WatchedTestSite in(SiteModeSetting other) {
        setting = other;
        return this;
    }

    /** A watcher that runs in this process. */
    public record RunningWatcher(
            ManagementClusterApi cluster, SiteModeWatcher mode, ReflectorGroup watches, WatcherLoop loop)
            implements AutoCloseable {
        @Override
        public void close() {
            loop.close();
            mode.close();
            watches.close();
            cluster.close();
        }
    }

    public RunningWatcher watch(String name) throws Exception {
        return watch(name, WatcherClock.SYSTEM);
    }

    public RunningWatcher watch(String name, WatcherClock time) throws Exception {
        ManagementClusterConfig usual = ManagementClusterConfig.DEFAULT;
        ManagementClusterApi cluster = ManagementClusterApi.open(new ManagementClusterConfig(
                kubeconfig, setting, usual.writesPerSecond(), usual.maxConcurrentWrites(), usual.timeout()));
        Listening listening = new Listening();
        SiteModeWatcher mode = SiteModeWatcher.start(setting, cluster.createModeProbe(), LOOKS, listening);
        WatcherLoop loop = new WatcherLoop(
                new WatcherContext(
                        name,
                        id,
                        KafkaClientSettings.forLocalBroker(bootstrap),
                        mode,
                        time,
                        listening,
                        cluster.createObjectWriter(),
                        usual.maxConcurrentWrites()),
                cluster::uid);
        ReflectorGroup reflectorGroup = cluster.startWatches(id, loop.eventHandler());
        RunningWatcher runningWatcher = new RunningWatcher(cluster, mode, reflectorGroup, loop);
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

    /** What is written for the watcher, or in its place. */
    public void write(RowChange rowChange) {
        writer.write(TablePartition.of(rowChange.rowKey().table(), id), rowChange, () -> {});
        writer.flush();
    }

    /** The row of a key now; null for none. */
    public @Nullable TableRow row(Table table, EntityKey key) {
        for (TableRecord tableRecord : view.poll(Duration.ofMillis(20))) {
            written.add(tableRecord.fact());
            if (tableRecord.fact() instanceof TableRow row) {
                rows.put(row.rowKey(), row);
            } else {
                rows.remove(tableRecord.fact().rowKey());
            }
        }
        return rows.get(new RowKey(table, key));
    }

    public @Nullable TableRow inventory(EntityKey key) {
        return row(Table.INVENTORY, key);
    }

    public @Nullable TableRow intent(EntityKey key) {
        return row(Table.INTENTS, key);
    }

    public @Nullable WatcherHeartbeat heartbeat() {
        return (WatcherHeartbeat) inventory(id);
    }

    /** How many machines have a row now. */
    public long machines() {
        inventory(id);
        return rows.keySet().stream()
                .filter(key -> key.table() == Table.INVENTORY && key.key() instanceof MachineKey)
                .count();
    }

    /** Everything but heartbeats that was written since this was asked last. */
    public List<RowChange> takeWritten() {
        inventory(id);
        List<RowChange> taken = written.stream()
                .filter(rowChange -> !(rowChange instanceof WatcherHeartbeat))
                .toList();
        written.clear();
        return taken;
    }

    public void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(bugs).isEmpty();
            assertThat(System.nanoTime())
                    .as("waiting for " + what + "; unseen " + unseen + ", kafka " + kafkaFailures)
                    .isLessThan(end);
            inventory(id);
        }
        assertThat(bugs).isEmpty();
    }

    /** Waits for another heartbeat than the one that there is. */
    public WatcherHeartbeat nextHeartbeat() {
        WatcherHeartbeat before = heartbeat();
        await("a heartbeat", () -> !Objects.equals(heartbeat(), before));
        return Objects.requireNonNull(heartbeat());
    }

    public static Tombstone gone(Table table, EntityKey key) {
        return new Tombstone(new RowKey(table, key));
    }

    @Override
    public void close() {
        watchers.forEach(RunningWatcher::close);
        view.close();
        writer.close();
    }

    private final class Listening implements WatcherLoopListener {
        @Override
        public void rowsPublished(int records) {}

        @Override
        public void removalsWithheld(int machines) {}

        @Override
        public void writerStateChanged(boolean now) {}

        @Override
        public void listFailed(WatchedKind watchedKind, String why) {
            unseen.add(watchedKind + ": " + why);
        }

        @Override
        public void storeRestored(WatchedKind watchedKind, long known, long now) {
            setBack.add(watchedKind);
        }

        @Override
        public void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations) {
            amended.add(object + " " + annotations);
        }

        @Override
        public void conditionWritten(ObjectKey object, String reason) {
            conditioned.add(object + " " + reason);
        }

        @Override
        public void writeFailed(ObjectKey object, String why) {
            unamended.add(object + ": " + why);
        }

        @Override
        public void modeDetected(DetectedSiteMode found) {
            modes.add(found);
        }

        @Override
        public void modeProbeFailed(String why) {
            unseen.add(why);
        }

        @Override
        public void kafkaFailed(String reason, String why) {
            kafkaFailures.add(reason + ": " + why);
        }

        @Override
        public void clusterIdentityChanged(String expected, String found) {
            others.add(expected + " is not " + found);
        }

        @Override
        public void loopFailed(Throwable bug) {
            bugs.add(bug);
        }
    }
}
