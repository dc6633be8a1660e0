package dev.flotilla.nodeworker;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
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

/** Logs, counts and reports to the health probes what the worker's loop does. */
final class WorkerEventLogger implements WorkerLoopListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    private final NodeWorkerMetrics metrics;
    private final Consumer<UpgradeCrashPoint> crashPoints;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private volatile int partitions;
    private volatile boolean broken;

    /**
     * @param crashPoints receives each crash point that a machine upgrade reaches
     * @param lockedOut whether the management cluster has rejected the credentials for more than a minute
     * @param end stops the process; called when a bug has ended the loop
     */
    WorkerEventLogger(
            NodeWorkerMetrics metrics,
            Consumer<UpgradeCrashPoint> crashPoints,
            BooleanSupplier lockedOut,
            Runnable end) {
        this.metrics = metrics;
        this.crashPoints = crashPoints;
        this.lockedOut = lockedOut;
        this.end = end;
    }

    HealthStatus liveness() {
        return broken
                ? new HealthStatus(
                        false,
                        "broken",
                        List.of(new HealthStatus.ComponentHealth("drives", false, "a bug ended the worker's loop")))
                : HealthStatus.healthy("alive");
    }

    /** A worker without partitions is a standby. One whose credentials the management cluster rejects is not ready. */
    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(partitions > 0 ? "driving" : "standby");
    }

    @Override
    public void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters) {
        logEvent(upgradeAttemptParameters).log("attempt started");
    }

    @Override
    public void crashPointReached(UpgradeCrashPoint upgradeCrashPoint) {
        crashPoints.accept(upgradeCrashPoint);
    }

    @Override
    public void refreshCalled(UpgradeAttemptParameters upgradeAttemptParameters) {
        metrics.countCall();
        logEvent(upgradeAttemptParameters).log("refresh called");
    }

    private static LoggingEventBuilder logEvent(UpgradeAttemptParameters upgradeAttemptParameters) {
        return LOG.atInfo()
                .addKeyValue("machine", upgradeAttemptParameters.key())
                .addKeyValue("attempt", upgradeAttemptParameters.attemptId());
    }

    @Override
    public void changePolled(UpgradeAttemptParameters upgradeAttemptParameters) {
        metrics.countPoll();
    }

    @Override
    public void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> failedChecks) {
        for (FailedCheck failedCheck : failedChecks) {
            metrics.countFailedCheck();
            if (!failedCheck.check().blocking()) {
                // A blocking check is reported as the attempt's end.
                LOG.atWarn()
                        .addKeyValue("machine", upgradeAttemptParameters.key())
                        .addKeyValue("attempt", upgradeAttemptParameters.attemptId())
                        .addKeyValue("check", failedCheck.check().name())
                        .addKeyValue("message", failedCheck.text())
                        .log("advisory check failed");
            }
        }
    }

    @Override
    public void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report) {
        AttemptOutcome outcome = AttemptOutcome.outcomeOf(report);
        if (report instanceof AttemptReport.Failed failed && failed.evidence() != null) {
            logEvent(upgradeAttemptParameters)
                    .addKeyValue("evidence", failed.evidence())
                    .log("failure evidence collected");
        }
        metrics.countAttempt(outcome);
        logEvent(upgradeAttemptParameters)
                .addKeyValue("outcome", outcome.label())
                .addKeyValue(
                        "message",
                        switch (report) {
                            case AttemptReport.Failed failed -> failed.reason().label() + ": " + failed.text();
                            case AttemptReport.Deferred deferred -> deferred.reason();
                            default -> "";
                        })
                .log("attempt ended");
    }

    @Override
    public void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String reason) {
        metrics.countFailedCleanup();
        LOG.atWarn()
                .addKeyValue("machine", upgradeAttemptParameters.key())
                .addKeyValue("attempt", upgradeAttemptParameters.attemptId())
                .addKeyValue("reason", reason)
                .log("cleanup failed; it is retried for a day. `flotilla machine release` removes guards and cordon");
    }

    @Override
    public void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters) {
        logEvent(upgradeAttemptParameters).log("cleanup succeeded after retries");
    }

    @Override
    public void ownershipChanged(int nowPartitions, int attempts) {
        if (nowPartitions != partitions) {
            LOG.atInfo().addKeyValue("partitions", nowPartitions).log("partition ownership changed");
        }
        partitions = nowPartitions;
        metrics.setOwnership(nowPartitions, attempts);
    }

    @Override
    public void kafkaFailed(String reason, String message) {
        metrics.countKafkaFailure(reason);
        LOG.atWarn()
                .addKeyValue("reason", reason)
                .addKeyValue("message", message)
                .log("Kafka operation failed; running upgrades continue and none starts");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the worker's loop; the process exits and must be started again");
        broken = true;
        end.run();
    }
}
