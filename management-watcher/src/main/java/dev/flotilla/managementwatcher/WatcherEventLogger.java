package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.publish.WatcherLoopListener;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.schemas.id.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells logs, metrics and probes what the loop does. */
final class WatcherEventLogger implements WatcherLoopListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final ManagementWatcherMetrics metrics;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile boolean writing;
    private volatile boolean broken;

    /**
     * Tells of one loop.
     *
     * @param lockedOut whether the management cluster has not taken the credentials for long
     * @param end what becomes of the process when the loop has ended by a bug
     */
    WatcherEventLogger(ManagementWatcherMetrics metrics, BooleanSupplier lockedOut, Runnable end) {
        this.lockedOut = lockedOut;
        this.metrics = metrics;
        this.end = end;
    }

    HealthStatus liveness() {
        return broken
                ? new HealthStatus(
                        false, "broken", List.of(new HealthStatus.ComponentHealth("watcher", false, "ended by a bug")))
                : HealthStatus.healthy("alive");
    }

    /** One that does not write stands by, or does not see everything. */
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
        if (machines > 0) {
            LOG.atError()
                    .addKeyValue("missing", machines)
                    .log("machines vanished at once: their rows stay until an order accepts the removal");
        } else {
            LOG.atInfo().log("no machines are held back any more");
        }
    }

    @Override
    public void writerStateChanged(boolean now) {
        if (now != writing) {
            LOG.atInfo().log(now ? "watches the site" : "does not watch the site just now");
        }
        writing = now;
        metrics.setActive(now);
    }

    @Override
    public void listFailed(WatchedKind watchedKind, String why) {
        metrics.countFailedList();
        LOG.atWarn().addKeyValue("kind", watchedKind.plural()).log("cannot see, keeps what it knows: {}", why);
    }

    @Override
    public void storeRestored(WatchedKind watchedKind, long known, long now) {
        metrics.countStoreRestore();
        LOG.atError()
                .addKeyValue("kind", watchedKind.plural())
                .addKeyValue("known", known)
                .addKeyValue("now", now)
                .log("resource versions went back, as after a restore of etcd: everything is listed and compared anew."
                        + " See docs/runbook.md#flotillamanagementclusterrestored");
    }

    @Override
    public void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations) {
        metrics.countAnnotationWrite();
        LOG.atInfo()
                .addKeyValue("object", object)
                .addKeyValue("annotations", annotations)
                .log("amends");
    }

    @Override
    public void conditionWritten(ObjectKey object, String reason) {
        metrics.countConditionWrite();
        LOG.atInfo().addKeyValue("object", object).addKeyValue("reason", reason).log("writes its condition");
    }

    @Override
    public void writeFailed(ObjectKey object, String why) {
        metrics.countFailedWrite();
        LOG.atWarn().addKeyValue("object", object).log("could not be amended, is tried again: {}", why);
    }

    @Override
    public void modeDetected(DetectedSiteMode found) {
        metrics.setMode(found);
        LOG.atInfo().addKeyValue("mode", found.mode().label()).log("the site's mode, since {}", found.reason());
        if (found.modeConflict() != null) {
            LOG.atError().addKeyValue("mode", found.mode().label()).log(found.modeConflict());
        }
    }

    @Override
    public void modeProbeFailed(String why) {
        metrics.countFailedList();
        LOG.atWarn()
                .log(
                        "cannot see who else acts here, keeps what it knows; the role is in deploy/management-watcher, or set"
                                + " kubernetes.mode: {}",
                        why);
    }

    @Override
    public void kafkaFailed(String reason, String why) {
        metrics.countKafkaFailure(reason);
        LOG.atWarn().addKeyValue("reason", reason).log("writes nothing: {}", why);
    }

    @Override
    public void clusterIdentityChanged(String expected, String found) {
        LOG.atError()
                .addKeyValue("expected", expected)
                .addKeyValue("found", found)
                .log(
                        "this is another management cluster than the site's: nothing is written. If the site has moved, write a"
                                + " tombstone for key site of its inventory");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the watcher, and now the process: it is to be started again");
        broken = true;
        end.run();
    }
}
