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

/** How an attempt may end: by its worker's word about this attempt, and as a success only with the node at its target. */
final class AttemptEndInvariants {
    /** Instants of decisions are by the leader's clock, which may differ from the true time by so much. */
    private static final long CLOCK_MARGIN = 150_000;

    private final SimFleet fleet;
    private final ViolationLog violationLog;
    private final Map<Long, Map<Class<?>, AttemptReport>> words = new HashMap<>();
    private final StartDeferralCounter startDeferralCounter;

    AttemptEndInvariants(SimFleet fleet, ViolationLog violationLog) {
        this.fleet = fleet;
        this.violationLog = violationLog;
        this.startDeferralCounter = new StartDeferralCounter(violationLog);
    }

    /** A worker's word was committed. */
    void applyReport(AttemptProgress progress) {
        words.computeIfAbsent(progress.attemptId(), absent -> new LinkedHashMap<>())
                .put(progress.report().getClass(), progress.report());
        if (progress.report() instanceof AttemptReport.Failed failed) {
            SecretLeakInvariants.check(failed.text(), violationLog);
        }
    }

    /**
     * An attempt may have ended.
     *
     * @param vanished whether its machine is gone, which needs no word
     */
    void check(MachineStatus before, MachineStatus after, boolean vanished) {
        startDeferralCounter.forgetMachine(after);
        UpgradeAttempt ended = before.attempt();
        if (ended == null || (after.attempt() != null && after.attempt().id() == ended.id())) {
            return;
        }
        Map<Class<?>, AttemptReport> said = words.getOrDefault(ended.id(), Map.of());
        RolloutEntry entry = ReferenceFleetState.entry(after, ended.rolloutRef());
        if (entry != null && entry.outcome().isAtTarget()) {
            violationLog.require(
                    said.containsKey(AttemptReport.Succeeded.class),
                    Invariant.ENDING,
                    before.key() + " attempt " + ended.id() + " succeeded without its worker's word");
            proof(before, ended);
            startDeferralCounter.attemptEnded(before, ended.rolloutRef());
            return;
        }
        AttemptFailure failure = after.lastFailure();
        boolean lost = failure != null
                && failure.attemptId() == ended.id()
                && (failure.reason() == FailureReason.NO_REPORT || failure.reason() == FailureReason.WRITTEN_OFF);
        if (lost || said.containsKey(AttemptReport.Failed.class)) {
            startDeferralCounter.attemptEnded(before, ended.rolloutRef());
        } else if (entry != null
                && (said.containsKey(AttemptReport.Deferred.class)
                        || (said.containsKey(AttemptReport.LeaseExpired.class) && !ended.cancelled()))) {
            startDeferralCounter.check(before, ended, entry);
        }
        boolean told = said.containsKey(AttemptReport.Failed.class)
                || said.containsKey(AttemptReport.Cancelled.class)
                || said.containsKey(AttemptReport.LeaseExpired.class)
                || said.containsKey(AttemptReport.Deferred.class)
                || said.containsKey(AttemptReport.Succeeded.class);
        violationLog.require(
                lost || told || vanished,
                Invariant.ENDING,
                before.key() + " attempt " + ended.id() + " ended without its worker's word");
        violationLog.require(
                !said.containsKey(AttemptReport.Succeeded.class)
                        || entry == null
                        || lost
                        || outside(ended.rolloutRef(), entry),
                Invariant.ENDING,
                before.key() + " attempt " + ended.id() + " succeeded by its worker's word and ended otherwise");
    }

    private static boolean outside(RolloutRef rolloutRef, RolloutEntry entry) {
        return entry.outcome().hasEnded() && rolloutRef.equals(entry.rolloutRef());
    }

    private void proof(MachineStatus before, UpgradeAttempt ended) {
        SimNode node = fleet.node(before.uid());
        violationLog.require(
                node != null && node.ranSince(ended.since().toEpochMilli() - CLOCK_MARGIN, ended.target()),
                Invariant.PROOF,
                before.key() + " attempt " + ended.id() + " counts as succeeded, but the node runs "
                        + (node == null ? "nothing" : node.revision()) + " and never ran " + ended.target());
    }
}
