package dev.flotilla.nodeworker;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import dev.flotilla.nodeworker.upgrade.WorkerLoopListener;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Tells logs, metrics and probes what the loop does. */
final class WorkerEventLogger implements WorkerLoopListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final NodeWorkerMetrics metrics;
    private final Consumer<UpgradeCrashPoint> milestones;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile int partitions;
    private volatile boolean broken;

    /**
     * Tells of one loop.
     *
     * @param milestones is told of each that a drive comes by
     * @param lockedOut whether the management cluster has not taken the credentials for long
     * @param end what becomes of the process when the loop has ended by a bug
     */
    WorkerEventLogger(
            NodeWorkerMetrics metrics,
            Consumer<UpgradeCrashPoint> milestones,
            BooleanSupplier lockedOut,
            Runnable end) {
        this.metrics = metrics;
        this.milestones = milestones;
        this.lockedOut = lockedOut;
        this.end = end;
    }

    HealthStatus liveness() {
        return broken
                ? new HealthStatus(
                        false, "broken", List.of(new HealthStatus.ComponentHealth("drives", false, "ended by a bug")))
                : HealthStatus.healthy("alive");
    }

    /** One that has no partition stands by for those that have. One whom the management cluster does not let in is of no use. */
    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(partitions > 0 ? "driving" : "standby");
    }

    @Override
    public void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters) {
        said(upgradeAttemptParameters).log("takes up the attempt");
    }

    @Override
    public void crashPointReached(UpgradeCrashPoint upgradeCrashPoint) {
        milestones.accept(upgradeCrashPoint);
    }

    @Override
    public void refreshCalled(UpgradeAttemptParameters upgradeAttemptParameters) {
        metrics.countCall();
        said(upgradeAttemptParameters).log("calls the node");
    }

    private static LoggingEventBuilder said(UpgradeAttemptParameters upgradeAttemptParameters) {
        return LOG.atInfo()
                .addKeyValue("machine", upgradeAttemptParameters.key())
                .addKeyValue("attempt", upgradeAttemptParameters.attemptId());
    }

    @Override
    public void changePolled(UpgradeAttemptParameters upgradeAttemptParameters) {
        metrics.countPoll();
    }

    @Override
    public void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> findings) {
        for (FailedCheck failedCheck : findings) {
            metrics.countFailedCheck();
            if (!failedCheck.check().blocking()) {
                // What stops an attempt is told as its end.
                LOG.atWarn()
                        .addKeyValue("machine", upgradeAttemptParameters.key())
                        .addKeyValue("attempt", upgradeAttemptParameters.attemptId())
                        .log(
                                "advisory check {} does not hold: {}",
                                failedCheck.check().name(),
                                failedCheck.text());
            }
        }
    }

    @Override
    public void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report) {
        AttemptOutcome how = AttemptOutcome.outcomeOf(report);
        if (report instanceof AttemptReport.Failed failed && failed.evidence() != null) {
            said(upgradeAttemptParameters)
                    .addKeyValue("evidence", failed.evidence())
                    .log("what was seen of its failure");
        }
        metrics.countAttempt(how);
        said(upgradeAttemptParameters)
                .addKeyValue("outcome", how.label())
                .log(
                        switch (report) {
                            case AttemptReport.Failed failed -> failed.reason().label() + ": " + failed.text();
                            case AttemptReport.Deferred not -> not.reason();
                            default -> how.label();
                        });
    }

    @Override
    public void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String why) {
        metrics.countFailedCleanup();
        LOG.atWarn()
                .addKeyValue("machine", upgradeAttemptParameters.key())
                .addKeyValue("attempt", upgradeAttemptParameters.attemptId())
                .log("guards or cordon stay: {}", why);
    }

    @Override
    public void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters) {
        said(upgradeAttemptParameters).log("guards and cordon are undone after all");
    }

    @Override
    public void ownershipChanged(int nowPartitions, int attempts) {
        if (nowPartitions != partitions) {
            LOG.atInfo().addKeyValue("partitions", nowPartitions).log("partitions that are ours");
        }
        partitions = nowPartitions;
        metrics.setOwnership(nowPartitions, attempts);
    }

    @Override
    public void kafkaFailed(String reason, String why) {
        metrics.countKafkaFailure(reason);
        LOG.atWarn().addKeyValue("reason", reason).log("goes on with what has begun, begins nothing: {}", why);
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the drives, and now the process: it is to be started again");
        broken = true;
        end.run();
    }
}
