package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.event.ObjectWriteKind;
import dev.flotilla.managementwatcher.event.ShownAttempt;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.LoopLiveness;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.log.LogOnChange;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.tracing.AttemptSpanReceiver;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs, counts and reports to the health probes what the watcher's loop does. */
final class WatcherEventLogger implements WatcherListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final ManagementWatcherMetrics metrics;
    private final WriteSpanReporter writeSpans;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private final LoopLiveness liveness = new LoopLiveness("watcher", "watcher");
    private final LogOnChange<Boolean> writing;
    private final LogOnChange<Integer> withheldRemovals =
            new LogOnChange<>(0, (previous, now) -> logWithheldRemovals(now));

    /**
     * @param spans receives the spans of attempts
     * @param lockedOut whether the management cluster has rejected the credentials for more than a minute
     * @param end stops the process; called when a bug has ended the loop
     */
    WatcherEventLogger(
            SiteId site,
            ManagementWatcherMetrics metrics,
            AttemptSpanReceiver spans,
            BooleanSupplier lockedOut,
            Runnable end) {
        this.writing = new LogOnChange<>(
                false,
                (previous, now) -> LOG.atInfo()
                        .addKeyValue(LogKey.SITE.label(), site)
                        .log(now ? "watching started" : "watching stopped"));
        this.lockedOut = lockedOut;
        this.metrics = metrics;
        this.writeSpans = new WriteSpanReporter(spans);
        this.end = end;
    }

    HealthStatus liveness() {
        return liveness.status();
    }

    /** A watcher that does not write is ready too: it is a standby, or it cannot read all objects. */
    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(writing.current() ? "watching" : "standby");
    }

    @Override
    public void rowsPublished(int records) {
        metrics.countPublished(records);
    }

    @Override
    public void removalsWithheld(int machines) {
        metrics.setWithheldRemovals(machines);
        withheldRemovals.set(machines);
    }

    private static void logWithheldRemovals(int machines) {
        if (machines > 0) {
            LOG.atError()
                    .addKeyValue(LogKey.WITHHELD_REMOVALS.label(), machines)
                    .addKeyValue(
                            LogKey.REMEDY.label(),
                            "check the machines; if they are really deleted, run `flotilla site accept-removal SITE"
                                    + " --reason TEXT`")
                    .log("mass removal withheld");
        } else {
            LOG.atInfo().log("withheld removals ended");
        }
    }

    @Override
    public void writerStateChanged(boolean now) {
        writing.set(now);
        metrics.setActive(now);
    }

    @Override
    public void listFailed(WatchedKind watchedKind, String reason) {
        metrics.countFailedList();
        LOG.atWarn()
                .addKeyValue(LogKey.KIND.label(), watchedKind.plural())
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("list or watch failed");
    }

    @Override
    public void storeRestored(WatchedKind watchedKind, long known, long now) {
        metrics.countStoreRestore();
        LOG.atError()
                .addKeyValue(LogKey.KIND.label(), watchedKind.plural())
                .addKeyValue(LogKey.KNOWN_VERSION.label(), known)
                .addKeyValue(LogKey.READ_VERSION.label(), now)
                .addKeyValue(LogKey.REMEDY.label(), "see docs/runbook.md#flotillamanagementclusterrestored")
                .log("management cluster restored");
    }

    @Override
    public void annotationsWritten(ObjectKey object, Map<String, @Nullable String> annotations) {
        metrics.countWrite(ObjectWriteKind.ANNOTATIONS);
        LOG.atInfo()
                .addKeyValue(LogKey.OBJECT.label(), object)
                .addKeyValue(LogKey.ANNOTATIONS.label(), annotations)
                .log("annotations written");
    }

    @Override
    public void attemptShown(ShownAttempt shownAttempt) {
        writeSpans.attemptShown(shownAttempt);
    }

    @Override
    public void conditionWritten(ObjectKey object, String reason) {
        metrics.countWrite(ObjectWriteKind.CONDITION);
        LOG.atInfo()
                .addKeyValue(LogKey.OBJECT.label(), object)
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("condition written");
    }

    @Override
    public void defaultReleaseWritten(OwnerKey owner, @Nullable String release) {
        metrics.countWrite(ObjectWriteKind.DEFAULT_RELEASE);
        LOG.atInfo()
                .addKeyValue(LogKey.OBJECT.label(), owner)
                .addKeyValue(LogKey.RELEASE.label(), release)
                .log("default release written");
    }

    @Override
    public void upgradeTaskWritten(NamespacedName task, String change) {
        metrics.countWrite(ObjectWriteKind.UPGRADE_TASK);
        LOG.atInfo()
                .addKeyValue(LogKey.OBJECT.label(), task)
                .addKeyValue(LogKey.WRITE.label(), change)
                .log("upgrade task written");
    }

    @Override
    public void upgradeTaskWriteFailed(NamespacedName task, String reason) {
        metrics.countFailedWrite(ObjectWriteKind.UPGRADE_TASK);
        LOG.atWarn()
                .addKeyValue(LogKey.OBJECT.label(), task)
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("upgrade task not written");
    }

    @Override
    public void versionWritten(ClusterKey cluster, String object, String version) {
        metrics.countWrite(ObjectWriteKind.VERSION);
        LOG.atInfo()
                .addKeyValue(LogKey.CLUSTER.label(), cluster)
                .addKeyValue(LogKey.OBJECT.label(), object)
                .addKeyValue(LogKey.VERSION.label(), version)
                .log("version written");
    }

    @Override
    public void versionsUnreadable(String reason) {
        metrics.countFailedList();
        LOG.atWarn()
                .addKeyValue(LogKey.REASON.label(), reason)
                .addKeyValue(LogKey.REMEDY.label(), "apply the role of deploy/management-watcher")
                .log("versions of clusters not read");
    }

    @Override
    public void writeFailed(ObjectWriteKind kind, ObjectKey object, String reason) {
        metrics.countFailedWrite(kind);
        LOG.atWarn()
                .addKeyValue(LogKey.WRITE.label(), kind.label())
                .addKeyValue(LogKey.OBJECT.label(), object)
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("write failed");
    }

    @Override
    public void modeDetected(SiteMode mode, String reason, @Nullable String modeConflict) {
        metrics.setMode(mode, modeConflict != null);
        LOG.atInfo()
                .addKeyValue(LogKey.MODE.label(), mode.label())
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("site mode detected");
        if (modeConflict != null) {
            LOG.atError()
                    .addKeyValue(LogKey.MODE.label(), mode.label())
                    .addKeyValue(LogKey.CONFLICT.label(), modeConflict)
                    .log("site mode conflict detected");
        }
    }

    @Override
    public void modeProbeFailed(String reason) {
        metrics.countFailedList();
        LOG.atWarn()
                .addKeyValue(LogKey.REASON.label(), reason)
                .addKeyValue(
                        LogKey.REMEDY.label(), "apply the role of deploy/management-watcher, or set kubernetes.mode")
                .log("site mode probe failed");
    }

    @Override
    public void kafkaFailed(String reason, String message) {
        metrics.countKafkaFailure(reason);
        LOG.atWarn()
                .addKeyValue(LogKey.REASON.label(), reason)
                .addKeyValue(LogKey.DETAIL.label(), message)
                .log("Kafka operation failed");
    }

    @Override
    public void clusterIdentityChanged(String expected, String found) {
        LOG.atError()
                .addKeyValue(LogKey.EXPECTED_CLUSTER_UID.label(), expected)
                .addKeyValue(LogKey.FOUND_CLUSTER_UID.label(), found)
                .addKeyValue(
                        LogKey.REMEDY.label(), "if the site has moved, write a tombstone for key site of its inventory")
                .log("another management cluster found");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("loop ended by a bug");
        liveness.loopFailed();
        end.run();
    }
}
