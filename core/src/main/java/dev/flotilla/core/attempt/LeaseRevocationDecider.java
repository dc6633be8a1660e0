package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.DueWorkQueue;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/**
 * Revokes the command leases of attempts that are no longer wanted: an attempt that has not called is cancelled, one that has
 * called is aborted if its provider can and nobody requests it any more or its machine is being deleted, and an attempt of a written-off site fails.
 */
public final class LeaseRevocationDecider {
    private LeaseRevocationDecider() {}

    public static Decision decideNext(DecisionBuilder draft, GateChain gates) {
        DueWorkQueue dueWork = draft.state().dueWork();
        MachineView machine = dueWork.pollLeaseReview();
        while (machine != null) {
            MachineView due = machine;
            Decision decision = DecisionFailedException.runFor(due.key(), () -> reviewLease(draft, gates, due));
            if (!decision.isNothing()) {
                return decision;
            }
            machine = dueWork.pollLeaseReview();
        }
        return Decision.NOTHING;
    }

    private static Decision reviewLease(DecisionBuilder draft, GateChain gates, MachineView machine) {
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            return Decision.NOTHING;
        }
        if (isWrittenOff(machine, attempt)) {
            return AttemptFailureDecider.decide(
                    draft,
                    status,
                    attempt,
                    new AttemptFailure(
                            attempt.id(),
                            FailureClass.LOST,
                            FailureReason.WRITTEN_OFF,
                            "its site was written off",
                            draft.at()));
        }
        if (attempt.cancelled()
                || (attempt.mayHaveCalled() && !attempt.provider().canAbort())) {
            return Decision.NOTHING;
        }
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        String reason = withdrawalReason(draft, rollout, machine, status, attempt);
        if (reason == null && rollout != null && !attempt.mayHaveCalled()) {
            reason = revocationReason(draft, gates, machine, status, attempt, rollout);
        }
        if (reason == null) {
            return Decision.NOTHING;
        }
        draft.write(status.with(attempt.withCancellation()));
        draft.write(WorkerCommandFactory.cancelCommand(rollout, status, attempt, reason));
        return draft.build(DecisionEvent.ATTEMPT_CANCELLING, status.key(), reason);
    }

    /** Why nobody requests the upgrade any more, so that even a change that runs is aborted; null if somebody does. */
    private static @Nullable String withdrawalReason(
            DecisionBuilder draft,
            @Nullable Rollout rollout,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt) {
        // Its pre-terminate hook holds the deletion only until the attempt has ended.
        if (attempt.mayHaveCalled() && machine.isUid(status.uid()) && machine.deleting()) {
            return "machine-deleted";
        }
        boolean hasEnded = rollout == null || rollout.isOver();
        if (hasEnded && !(attempt.mayHaveCalled() && isRequestedAgain(draft, attempt))) {
            return "rollout-ended";
        }
        return MachineStatusWriter.entryOf(status, attempt.rolloutRef()).outcome() == MachineOutcome.SKIPPED
                ? "skipped"
                : null;
    }

    /** Whether the intent was replaced by one with the same target, which what runs will fulfil. */
    private static boolean isRequestedAgain(DecisionBuilder draft, UpgradeAttempt attempt) {
        UpgradeIntent intent = attempt.rolloutRef() instanceof RolloutRef.IntentRef intentRef
                ? draft.state().intent(intentRef.object())
                : null;
        return intent != null && intent.target().equals(attempt.target());
    }

    /** Why an attempt that has not called must not call; null if it may. */
    private static @Nullable String revocationReason(
            DecisionBuilder draft,
            GateChain gates,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Rollout rollout) {
        if (!machine.isUid(status.uid())) {
            return "machine-replaced";
        }
        if (!machine.unreadable() && !machine.provider().canApply(attempt.target())) {
            return "provider-changed";
        }
        draft.state().refreshDerivedState(gates, draft.at());
        StartCandidate candidate = draft.state().candidateOf(rollout, machine, draft.at());
        if (candidate != null && isRequestReplaced(candidate, attempt)) {
            return "request-replaced";
        }
        Gate closedGate = candidate == null ? null : gates.firstClosed(candidate, Gate.LeaseEffect.REVOKE);
        return closedGate == null ? null : closedGate.label().label();
    }

    /** Whether a campaign's attempt would have another target by now, because Cluster API asks for something else. */
    private static boolean isRequestReplaced(StartCandidate candidate, UpgradeAttempt attempt) {
        return attempt.rolloutRef() instanceof RolloutRef.CampaignRef
                && !candidate.target().equals(attempt.target());
    }

    private static boolean isWrittenOff(MachineView machine, UpgradeAttempt attempt) {
        ClusterState cluster = machine.cluster();
        return cluster != null && attempt.id() < cluster.site().writtenOffBelow();
    }
}
