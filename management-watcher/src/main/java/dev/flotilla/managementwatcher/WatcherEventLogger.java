package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.event.ObjectWriteKind;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, counts and reports to the health probes what the watcher's loop does. */
final class WatcherEventLogger implements WatcherListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final ManagementWatcherMetrics metrics;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile boolean writing;
    private volatile int withheldRemovals;
    private volatile boolean broken;

    /**
     * @param lockedOut whether the management cluster has rejected the credentials for more than a minute
     * @param end stops the process; called when a bug has ended the loop
     */
    WatcherEventLogger(ManagementWatcherMetrics metrics, BooleanSupplier lockedOut, Runnable end) {
        this.lockedOut = lockedOut;
        this.metrics = metrics;
        this.end = end;
    }

    HealthStatus liveness() {
        return broken
                ? new HealthStatus(
                        false,
                        "broken",
                        List.of(new HealthStatus.ComponentHealth("watcher", false, "a bug ended the watcher's loop")))
                : HealthStatus.healthy("alive");
    }

    /** A watcher that does not write is ready too: it is a standby, or it cannot read all objects. */
    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(writing ? "watching" : "standby");
    }

    @Override
    public void rowsPublished(int records) {
        metrics.countPublished(records);
    }

    @Override
    public void removalsWithheld(int machines) {
        metrics.setWithheldRemovals(machines);
        boolean same = machines == withheldRemovals;
        withheldRemovals = machines;
        if (same) {
            return;
        }
        if (machines > 0) {
            LOG.atError()
                    .addKeyValue("withheld", machines)
                    .log("mass removal withheld: check the machines, then accept the removal with"
                            + " `flotilla site accept-removal` if they are really deleted");
        } else {
            LOG.atInfo().log("no removal withheld any more");
        }
    }

    @Override
    public void writerStateChanged(boolean now) {
        if (now != writing) {
            LOG.atInfo().log(now ? "watching started" : "watching stopped");
        }
        writing = now;
        metrics.setActive(now);
    }

    @Override
    public void listFailed(WatchedKind watchedKind, String reason) {
        metrics.countFailedList();
        LOG.atWarn()
                .addKeyValue("kind", watchedKind.plural())
                .addKeyValue("reason", reason)
                .log("list or watch failed; the known objects are kept");
    }

    @Override
    public void storeRestored(WatchedKind watchedKind, long known, long now) {
        metrics.countStoreRestore();
        LOG.atError()
                .addKeyValue("kind", watchedKind.plural())
                .addKeyValue("known", known)
                .addKeyValue("now", now)
                .log("resource versions decreased, as after a restore of etcd; all objects are compared again."
                        + " See docs/runbook.md#flotillamanagementclusterrestored");
    }

    @Override
    public void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations) {
        metrics.countWrite(ObjectWriteKind.ANNOTATIONS);
        LOG.atInfo()
                .addKeyValue("object", object)
                .addKeyValue("annotations", annotations)
                .log("annotations written");
    }

    @Override
    public void conditionWritten(ObjectKey object, String reason) {
        metrics.countWrite(ObjectWriteKind.CONDITION);
        LOG.atInfo().addKeyValue("object", object).addKeyValue("reason", reason).log("condition written");
    }

    @Override
    public void defaultReleaseWritten(OwnerKey owner, @Nullable String release) {
        metrics.countWrite(ObjectWriteKind.DEFAULT_RELEASE);
        LOG.atInfo()
                .addKeyValue("object", owner)
                .addKeyValue("release", release)
                .log("default release written");
    }

    @Override
    public void writeFailed(ObjectWriteKind kind, ObjectKey object, String reason) {
        metrics.countFailedWrite(kind);
        LOG.atWarn()
                .addKeyValue("write", kind.label())
                .addKeyValue("object", object)
                .addKeyValue("reason", reason)
                .log("write failed and is retried");
    }

    @Override
    public void modeDetected(SiteMode mode, String reason, @Nullable String modeConflict) {
        metrics.setMode(mode, modeConflict != null);
        LOG.atInfo().addKeyValue("mode", mode.label()).addKeyValue("reason", reason).log("site mode detected");
        if (modeConflict != null) {
            LOG.atError()
                    .addKeyValue("mode", mode.label())
                    .addKeyValue("conflict", modeConflict)
                    .log("site mode conflict detected");
        }
    }

    @Override
    public void modeProbeFailed(String reason) {
        metrics.countFailedList();
        LOG.atWarn()
                .addKeyValue("reason", reason)
                .log("site mode probe failed; the known mode is kept. Apply the role of deploy/management-watcher, or"
                        + " set kubernetes.mode");
    }

    @Override
    public void kafkaFailed(String reason, String message) {
        metrics.countKafkaFailure(reason);
        LOG.atWarn()
                .addKeyValue("reason", reason)
                .addKeyValue("message", message)
                .log("Kafka operation failed");
    }

    @Override
    public void clusterIdentityChanged(String expected, String found) {
        LOG.atError()
                .addKeyValue("expected", expected)
                .addKeyValue("found", found)
                .log("management cluster differs from the site's; nothing is written. If the site has moved, write a"
                        + " tombstone for key site of its inventory");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the watcher's loop; the process exits and must be started again");
        broken = true;
        end.run();
    }
}
