package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.event.ObjectWriteKind;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.polling.PollingThread;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the version fields of clusters periodically, and writes those that the orchestrator asks for: by server-side apply under a field
 * manager of its own, and only while the field has the value that the orchestrator has seen.
 */
public final class InPlaceClusters implements AutoCloseable {
    /** Under which the API server records what campaigns write. */
    public static final String FIELD_MANAGER = "flotilla-campaign";

    /** How often the fields are read while machines of the site are updated. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** Every how many intervals the fields are read otherwise. */
    private static final int QUIET_INTERVALS = 6;

    private final KubeApiClient api;
    private final VersionFieldReader reader;
    private final WatcherListener listener;
    private volatile @Nullable Map<ClusterKey, List<VersionField>> fields;
    private volatile List<ClusterUpgrade> upgrades = List.of();
    private volatile boolean hasActiveTasks;
    private @Nullable PollingThread reads;

    /** How many intervals passed since the last read. Used by the thread that reads. */
    private int skipped = QUIET_INTERVALS;

    /** The problem of the last read that was reported; empty for none. */
    private String reportedProblem = "";

    public InPlaceClusters(KubeApiClient api, ServedApiVersions versions, SiteId site, WatcherListener listener) {
        this.api = api;
        this.reader = new VersionFieldReader(api, versions, site);
        this.listener = listener;
    }

    /** Starts reading. */
    public InPlaceClusters start(Duration interval) {
        reads = PollingThread.start("in-place-clusters", () -> {
            runUnlessQuiet();
            return interval;
        });
        return this;
    }

    /** Returns the fields of each cluster whose machines Cluster API updates in place, as they were read last; null before that. */
    public @Nullable Map<ClusterKey, List<VersionField>> fields() {
        return fields;
    }

    /** Sets which clusters campaigns have opened; none while another watcher writes. */
    public void openClusters(Collection<ClusterUpgrade> open) {
        upgrades = List.copyOf(open);
    }

    /** Sets whether UpgradeTasks of the site request machines, so that versions may change. */
    public void activeTasks(boolean now) {
        hasActiveTasks = now;
    }

    private void runUnlessQuiet() {
        skipped++;
        if (hasActiveTasks || !upgrades.isEmpty() || skipped >= QUIET_INTERVALS) {
            skipped = 0;
            runOnce();
        }
    }

    /** Reads all fields, and writes those that are to change. */
    void runOnce() {
        SortedMap<ClusterKey, List<ReadVersionField>> read = read();
        if (read != null && writeChanges(read)) {
            read = read();
        }
        if (read != null) {
            publish(read);
        }
    }

    /** Reads all fields; null if they cannot be read: those that were read last count until then. */
    private @Nullable SortedMap<ClusterKey, List<ReadVersionField>> read() {
        SortedMap<ClusterKey, List<ReadVersionField>> found = new TreeMap<>();
        String problem = reader.readInto(found);
        if (problem != null && !problem.equals(reportedProblem)) {
            listener.versionsUnreadable(problem);
        }
        reportedProblem = problem == null ? "" : problem;
        return problem == null ? found : null;
    }

    private void publish(SortedMap<ClusterKey, List<ReadVersionField>> read) {
        Map<ClusterKey, List<VersionField>> next = new TreeMap<>();
        read.forEach((cluster, found) -> {
            if (!found.isEmpty() && found.size() <= ClusterRow.MAX_VERSION_FIELDS) {
                next.put(cluster, found.stream().map(ReadVersionField::field).toList());
            }
        });
        if (!next.equals(fields)) {
            fields = next;
        }
    }

    private boolean writeChanges(SortedMap<ClusterKey, List<ReadVersionField>> read) {
        boolean written = false;
        for (ClusterUpgrade upgrade : upgrades) {
            for (ReadVersionField field : read.getOrDefault(upgrade.cluster(), List.of())) {
                VersionFieldChange change = upgrade.changeOf(field.field());
                if (change != null
                        && !change.written()
                        && field.field().version().equals(change.from())
                        && !change.from().equals(upgrade.version())) {
                    written |= write(upgrade, field);
                }
            }
        }
        return written;
    }

    private boolean write(ClusterUpgrade upgrade, ReadVersionField field) {
        String path = KubeApiPath.groupObject(
                field.apiVersion(),
                field.namespace(),
                field.plural(),
                field.field().name());
        KubeResponse response = api.serverSideApply(
                path + "?force=true&fieldManager=" + FIELD_MANAGER, field.toPatch(upgrade.version()));
        if (response instanceof KubeResponse.SuccessResponse) {
            listener.versionWritten(upgrade.cluster(), field.field().describe(), upgrade.version());
            return true;
        }
        listener.writeFailed(
                ObjectWriteKind.VERSION, upgrade.cluster(), field.field().describe() + ": " + response.problem());
        return false;
    }

    @Override
    public void close() {
        PollingThread running = reads;
        if (running != null) {
            running.close();
        }
    }
}
