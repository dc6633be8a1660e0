package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.StepStatus;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.nodeupgrader.reconcile.UpgraderListener;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.LoopLiveness;
import dev.flotilla.runtime.log.LogKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs what a node-upgrader does, counts it, and keeps its health. */
final class UpgraderEventLogger implements UpgraderListener {
    private static final Logger LOG = LoggerFactory.getLogger(UpgraderEventLogger.class);
    private static final String NEVER_READ = "the NodeUpgrades were not read yet";

    private final NodeUpgraderMetrics metrics;
    private final NodeSilenceMeter silenceMeter;
    private final Consumer<UpgraderCrashPoint> crashPoints;
    private final BooleanSupplier lockedOut;
    private final Runnable end;
    private final LoopLiveness liveness = new LoopLiveness("upgrades", "node-upgrader");

    /** Why the NodeUpgrades cannot be read; empty if they can. */
    private final AtomicReference<String> watchProblem = new AtomicReference<>(NEVER_READ);

    /** The latest problem of each open NodeUpgrade, so that a lasting one is logged once. */
    private final Map<String, String> problems = new ConcurrentHashMap<>();

    /**
     * @param lockedOut whether the management cluster rejects the credentials for long
     * @param end ends the process after a bug
     */
    UpgraderEventLogger(
            NodeUpgraderMetrics metrics,
            NodeSilenceMeter silenceMeter,
            Consumer<UpgraderCrashPoint> crashPoints,
            BooleanSupplier lockedOut,
            Runnable end) {
        this.metrics = metrics;
        this.silenceMeter = silenceMeter;
        this.crashPoints = crashPoints;
        this.lockedOut = lockedOut;
        this.end = end;
    }

    HealthStatus liveness() {
        return liveness.status();
    }

    HealthStatus readiness() {
        if (lockedOut.getAsBoolean()) {
            return HealthStatus.LOCKED_OUT;
        }
        String problem = watchProblem.get();
        return problem.isEmpty()
                ? HealthStatus.healthy("ready")
                : new HealthStatus(
                        false,
                        "not-watching",
                        List.of(new HealthStatus.ComponentHealth("node-upgrades", false, problem)));
    }

    @Override
    public void upgradeOpened(String namespaceAndName, int openUpgrades) {
        metrics.setOpen(openUpgrades);
        withObject(LOG.atInfo(), namespaceAndName).log("node upgrade found");
    }

    @Override
    public void upgradeClosed(String namespaceAndName, int openUpgrades) {
        metrics.setOpen(openUpgrades);
        problems.remove(namespaceAndName);
        silenceMeter.forget(namespaceAndName);
    }

    @Override
    public void decided(NodeUpgrade nodeUpgrade, UpgradeDecision decision) {
        silenceMeter.observe(nodeUpgrade);
        crashPoints.accept(UpgraderCrashPoint.of(decision));
        if (decision instanceof UpgradeDecision.CreateJob) {
            metrics.countJob();
            withObject(LOG.atInfo(), nodeUpgrade.toString())
                    .addKeyValue(LogKey.CLUSTER.label(), nodeUpgrade.clusterName())
                    .addKeyValue(LogKey.MACHINE.label(), nodeUpgrade.machine())
                    .addKeyValue(LogKey.ATTEMPT.label(), nodeUpgrade.attemptId())
                    .log("upgrade job requested");
        } else if (decision instanceof UpgradeDecision.SuspendJob) {
            withObject(LOG.atInfo(), nodeUpgrade.toString()).log("upgrade job suspended");
        }
    }

    @Override
    public void statusWritten(String namespaceAndName, NodeUpgradeStatus before, NodeUpgradeStatus after) {
        problems.remove(namespaceAndName);
        for (StepStatus step : after.steps()) {
            if (before.steps().stream()
                    .noneMatch(each -> each.name().equals(step.name()) && each.state() == step.state())) {
                withObject(LOG.atInfo(), namespaceAndName)
                        .addKeyValue(LogKey.STEP.label(), step.name())
                        .addKeyValue(LogKey.STEP_STATE.label(), step.state().label())
                        .log("node upgrade step changed");
            }
        }
        if (after.phase().isFinal()) {
            logEnd(namespaceAndName, after);
        }
    }

    private void logEnd(String namespaceAndName, NodeUpgradeStatus status) {
        metrics.countEnd(status.phase());
        String message = status.failureMessage();
        if (status.phase() == NodeUpgradePhase.FAILED) {
            metrics.countFailure(status.failureReason());
            withObject(LOG.atWarn(), namespaceAndName)
                    .addKeyValue(LogKey.REASON.label(), status.failureReason())
                    .addKeyValue(LogKey.DETAIL.label(), message)
                    .log("node upgrade failed");
        } else if (status.phase() == NodeUpgradePhase.ABORTED) {
            withObject(LOG.atInfo(), namespaceAndName)
                    .addKeyValue(LogKey.DETAIL.label(), message)
                    .log("node upgrade aborted");
        } else {
            withObject(LOG.atInfo(), namespaceAndName).log("node upgrade succeeded");
        }
    }

    @Override
    public void upgradeDeleted(String namespaceAndName) {
        withObject(LOG.atInfo(), namespaceAndName).log("ended node upgrade deleted");
    }

    @Override
    public void requestFailed(String namespaceAndName, String reason) {
        metrics.countFailedRequest();
        String before = problems.put(namespaceAndName, reason);
        if (!reason.equals(before)) {
            withObject(LOG.atWarn(), namespaceAndName)
                    .addKeyValue(LogKey.REASON.label(), reason)
                    .log("node upgrade request failed");
        }
    }

    @Override
    public void watchSucceeded() {
        if (!watchProblem.getAndSet("").isEmpty()) {
            LOG.info("node upgrades read");
        }
    }

    @Override
    public void watchFailed(String reason) {
        metrics.countFailedRequest();
        if (!reason.equals(watchProblem.getAndSet(reason))) {
            LOG.atWarn().addKeyValue(LogKey.REASON.label(), reason).log("node upgrade watch failed");
        }
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("loop ended by a bug");
        liveness.loopFailed();
        end.run();
    }

    private static LoggingEventBuilder withObject(LoggingEventBuilder event, @Nullable String object) {
        return event.addKeyValue(LogKey.OBJECT.label(), object);
    }
}
