package dev.flotilla.nodeworker;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.nodeworker.upgrade.EndedStep;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import dev.flotilla.nodeworker.upgrade.WorkerLoopListener;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.LoopLiveness;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.log.LogOnChange;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.trace.AttemptTrace;
import dev.flotilla.tracing.AttemptSpanReceiver;
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
    private final StepSpanReporter stepSpans;
    private final Consumer<UpgradeCrashPoint> crashPoints;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private final LoopLiveness liveness = new LoopLiveness("upgrades", "worker");
    private final LogOnChange<Integer> partitions = new LogOnChange<>(
            0,
            (previous, now) ->
                    LOG.atInfo().addKeyValue(LogKey.PARTITIONS.label(), now).log("partition ownership changed"));

    /**
     * @param spans receives the spans of attempts
     * @param crashPoints receives each crash point that a machine upgrade reaches
     * @param lockedOut whether the management cluster has rejected the credentials for more than a minute
     * @param end stops the process; called when a bug has ended the loop
     */
    WorkerEventLogger(
            NodeWorkerMetrics metrics,
            AttemptSpanReceiver spans,
            Consumer<UpgradeCrashPoint> crashPoints,
            BooleanSupplier lockedOut,
            Runnable end) {
        this.metrics = metrics;
        this.stepSpans = new StepSpanReporter(spans);
        this.crashPoints = crashPoints;
        this.lockedOut = lockedOut;
        this.end = end;
    }

    HealthStatus liveness() {
        return liveness.status();
    }

    /** A worker without partitions is a standby. One whose credentials the management cluster rejects is not ready. */
    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        return HealthStatus.healthy(partitions.current() > 0 ? "active" : "standby");
    }

    @Override
    public void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters) {
        withAttempt(LOG.atInfo(), upgradeAttemptParameters).log("attempt started");
    }

    @Override
    public void crashPointReached(UpgradeCrashPoint upgradeCrashPoint) {
        crashPoints.accept(upgradeCrashPoint);
    }

    @Override
    public void upgradeCalled(UpgradeAttemptParameters upgradeAttemptParameters) {
        metrics.countCall();
        withAttempt(LOG.atInfo(), upgradeAttemptParameters).log("upgrade called");
    }

    @Override
    public void preparationCalled(UpgradeAttemptParameters upgradeAttemptParameters) {
        withAttempt(LOG.atInfo(), upgradeAttemptParameters).log("preparation called");
    }

    private static LoggingEventBuilder withAttempt(LoggingEventBuilder event, UpgradeAttemptParameters parameters) {
        return event.addKeyValue(LogKey.MACHINE.label(), parameters.key())
                .addKeyValue(LogKey.ATTEMPT.label(), parameters.attemptId())
                .addKeyValue(
                        LogKey.TRACE_ID.label(),
                        AttemptTrace.of(parameters.key(), parameters.uid(), parameters.attemptId())
                                .traceId());
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
                withAttempt(LOG.atWarn(), upgradeAttemptParameters)
                        .addKeyValue(LogKey.CHECK.label(), failedCheck.check().name())
                        .addKeyValue(LogKey.DETAIL.label(), failedCheck.text())
                        .log("advisory check failed");
            }
        }
    }

    @Override
    public void stepEnded(EndedStep endedStep) {
        stepSpans.stepEnded(endedStep);
    }

    @Override
    public void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report) {
        AttemptOutcome outcome = AttemptOutcome.outcomeOf(report);
        metrics.countAttempt(outcome);
        if (report instanceof AttemptReport.Failed failed) {
            logFailure(upgradeAttemptParameters, failed);
            return;
        }
        LoggingEventBuilder event = withAttempt(LOG.atInfo(), upgradeAttemptParameters);
        if (report instanceof AttemptReport.Deferred deferred) {
            event = event.addKeyValue(LogKey.DETAIL.label(), deferred.reason());
        }
        if (report instanceof AttemptReport.Aborted aborted) {
            event = event.addKeyValue(LogKey.DETAIL.label(), aborted.text());
        }
        event.log(outcome.event());
    }

    private static void logFailure(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport.Failed failed) {
        if (failed.evidence() != null) {
            withAttempt(LOG.atInfo(), upgradeAttemptParameters)
                    .addKeyValue(LogKey.EVIDENCE.label(), failed.evidence().describe())
                    .log("failure evidence collected");
        }
        withAttempt(LOG.atWarn(), upgradeAttemptParameters)
                .addKeyValue(LogKey.REASON.label(), failed.reason().label())
                .addKeyValue(LogKey.DETAIL.label(), failed.text())
                .log("attempt failed");
    }

    @Override
    public void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String reason) {
        metrics.countFailedCleanup();
        withAttempt(LOG.atWarn(), upgradeAttemptParameters)
                .addKeyValue(LogKey.REASON.label(), reason)
                .addKeyValue(
                        LogKey.REMEDY.label(),
                        "it is retried for a day; `flotilla machine release` removes guards and cordon")
                .log("cleanup failed");
    }

    @Override
    public void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters) {
        withAttempt(LOG.atInfo(), upgradeAttemptParameters).log("cleanup succeeded after retries");
    }

    @Override
    public void ownershipChanged(int nowPartitions, int attempts) {
        partitions.set(nowPartitions);
        metrics.setOwnership(nowPartitions, attempts);
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
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("loop ended by a bug");
        liveness.loopFailed();
        end.run();
    }
}
