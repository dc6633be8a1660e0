package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.node.SimNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt may end: by its worker's report about this attempt, and as succeeded only if the node has run its
 * target.
 */
final class AttemptEndInvariants {
    /** Decisions carry the leader's time, which may differ from the true time by this much. */
    private static final long CLOCK_MARGIN = 150_000;

    private final SimFleet fleet;
    private final ViolationLog violationLog;
    private final Map<Long, Map<Class<?>, AttemptReport>> reportsByAttempt = new HashMap<>();
    private final StartDeferralCounter startDeferralCounter;

    AttemptEndInvariants(SimFleet fleet, ViolationLog violationLog) {
        this.fleet = fleet;
        this.violationLog = violationLog;
        this.startDeferralCounter = new StartDeferralCounter(violationLog);
    }

    /** Records a committed report. */
    void applyReport(AttemptProgress progress) {
        reportsByAttempt
                .computeIfAbsent(progress.attemptId(), absent -> new LinkedHashMap<>())
                .put(progress.report().getClass(), progress.report());
        if (progress.report() instanceof AttemptReport.Failed failed) {
            SecretLeakInvariants.check(failed.text(), violationLog);
        }
    }

    /**
     * Checks an attempt that may have ended.
     *
     * @param vanished whether its machine was deleted, which needs no report
     */
    void check(MachineStatus before, MachineStatus after, boolean vanished) {
        startDeferralCounter.forgetMachine(after);
        UpgradeAttempt ended = before.attempt();
        if (ended == null || (after.attempt() != null && after.attempt().id() == ended.id())) {
            return;
        }
        Map<Class<?>, AttemptReport> reports = reportsByAttempt.getOrDefault(ended.id(), Map.of());
        RolloutEntry entry = ReferenceFleetState.entry(after, ended.rolloutRef());
        if (entry != null && entry.outcome().isAtTarget()) {
            violationLog.require(
                    reports.containsKey(AttemptReport.Succeeded.class),
                    Invariant.ATTEMPT_END,
                    before.key() + " attempt " + ended.id() + " succeeded without a report of its worker");
            requireProof(before, ended);
            startDeferralCounter.attemptEnded(before, ended.rolloutRef());
            return;
        }
        AttemptFailure failure = after.lastFailure();
        boolean lost = failure != null
                && failure.attemptId() == ended.id()
                && (failure.reason() == FailureReason.NO_REPORT || failure.reason() == FailureReason.WRITTEN_OFF);
        if (failure != null && failure.attemptId() == ended.id() && !lost) {
            requireQuarantine(before, failure, entry);
        }
        if (lost || reports.containsKey(AttemptReport.Failed.class)) {
            startDeferralCounter.attemptEnded(before, ended.rolloutRef());
        } else if (entry != null
                && (reports.containsKey(AttemptReport.Deferred.class)
                        || (reports.containsKey(AttemptReport.LeaseExpired.class) && !ended.cancelled()))) {
            startDeferralCounter.check(before, ended, entry);
        }
        boolean hasEndReport = reports.containsKey(AttemptReport.Failed.class)
                || reports.containsKey(AttemptReport.Cancelled.class)
                || reports.containsKey(AttemptReport.Aborted.class)
                || reports.containsKey(AttemptReport.LeaseExpired.class)
                || reports.containsKey(AttemptReport.Deferred.class)
                || reports.containsKey(AttemptReport.Succeeded.class);
        SimNode node = fleet.node(before.uid());
        violationLog.require(
                !reports.containsKey(AttemptReport.Aborted.class)
                        || node == null
                        || !node.nodeUpgrades().isRunning(ended.id()),
                Invariant.ATTEMPT_END,
                before.key() + " attempt " + ended.id() + " ended as aborted while its NodeUpgrade still runs");
        violationLog.require(
                lost || hasEndReport || vanished,
                Invariant.ATTEMPT_END,
                before.key() + " attempt " + ended.id() + " ended without a report of its worker");
        violationLog.require(
                !reports.containsKey(AttemptReport.Succeeded.class)
                        || entry == null
                        || lost
                        || endedForRollout(ended.rolloutRef(), entry),
                Invariant.ATTEMPT_END,
                before.key() + " attempt " + ended.id() + " ended otherwise although its worker reported success");
    }

    private static boolean endedForRollout(RolloutRef rolloutRef, RolloutEntry entry) {
        return entry.outcome().hasEnded() && rolloutRef.equals(entry.rolloutRef());
    }

    /** Requires that a NodeUpgrade that failed for good is not tried again. */
    private void requireQuarantine(MachineStatus before, AttemptFailure failure, @Nullable RolloutEntry entry) {
        SimNode node = fleet.node(before.uid());
        boolean isForGood = failure.reason() == FailureReason.NODE_UPGRADE_FAILED
                && node != null
                && node.nodeUpgrades().hasFailedForGood(failure.attemptId());
        violationLog.require(
                !isForGood || entry == null || entry.outcome().hasEnded(),
                Invariant.FAILURE_FOR_GOOD,
                before.key() + " attempt " + failure.attemptId()
                        + " failed with retryable: false, and its machine is tried again");
    }

    private void requireProof(MachineStatus before, UpgradeAttempt ended) {
        SimNode node = fleet.node(before.uid());
        violationLog.require(
                node != null && node.ranSince(ended.admittedAt().toEpochMilli() - CLOCK_MARGIN, ended.target()),
                Invariant.PROOF,
                before.key() + " attempt " + ended.id() + " counts as succeeded, but the node runs "
                        + (node == null ? "nothing" : node.revision()) + " and never ran " + ended.target());
    }
}
