package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the version fields of clusters periodically, and writes those that the orchestrator asks for: by server-side apply under a field
 * manager of its own, and only while the field has the value that the orchestrator has seen.
 */
public final class InPlaceClusters implements AutoCloseable {
    /** Under which the API server records what campaigns write. */
    public static final String FIELD_MANAGER = "flotilla-campaign";

    /** How often the fields are read. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final KubeApiClient api;
    private final VersionFieldReader reader;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Map<ClusterKey, List<VersionField>> fields = Map.of();
    private volatile List<ClusterUpgrade> upgrades = List.of();
    private @Nullable Thread thread;

    public InPlaceClusters(KubeApiClient api, ServedApiVersions versions, SiteId site) {
        this.api = api;
        this.reader = new VersionFieldReader(api, versions, site);
    }

    /** Starts reading. */
    public InPlaceClusters start(Duration interval) {
        thread = Thread.ofVirtual().name("in-place-clusters").start(() -> run(interval));
        return this;
    }

    /** Returns the fields of each cluster whose machines Cluster API updates in place, as they were read last. */
    public Map<ClusterKey, List<VersionField>> fields() {
        return fields;
    }

    /** Sets which clusters campaigns have opened; none while another watcher writes. */
    public void openClusters(Collection<ClusterUpgrade> open) {
        upgrades = List.copyOf(open);
    }

    private void run(Duration interval) {
        try {
            while (!stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                runOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads all fields, and writes those that are to change. */
    void runOnce() {
        SortedMap<ClusterKey, List<ReadVersionField>> read = reader.read();
        if (read == null) {
            // What was read last counts until something else is known.
            return;
        }
        if (writeChanges(read)) {
            read = reader.read();
        }
        if (read != null) {
            publish(read);
        }
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
                    written |= write(field, upgrade.version());
                }
            }
        }
        return written;
    }

    private boolean write(ReadVersionField field, String version) {
        String path = KubeApiPath.groupObject(
                field.apiVersion(),
                field.namespace(),
                field.plural(),
                field.field().name());
        return api.serverSideApply(path + "?force=true&fieldManager=" + FIELD_MANAGER, field.toPatch(version))
                instanceof KubeResponse.SuccessResponse;
    }

    @Override
    public void close() {
        stopped.countDown();
        Thread running = thread;
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            running.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
