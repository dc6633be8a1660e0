package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.DueWorkQueue;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;

/**
 * Decides on open attempts whose time has come: the command lease is renewed or expires, then the outcome is unknown,
 * then the attempt is lost.
 */
public final class AttemptTimerDecider {
    private AttemptTimerDecider() {}

    public static Decision decideNext(DecisionBuilder draft, GateChain gates) {
        DueWorkQueue dueWork = draft.state().dueWork();
        MachineView machine = dueWork.nextDueAttempt(draft.at());
        while (machine != null) {
            MachineView due = machine;
            Decision decision = DecisionFailedException.runFor(due.key(), () -> decideAttempt(draft, gates, due));
            if (!decision.isNothing()) {
                return decision;
            }
            machine = dueWork.nextDueAttempt(draft.at());
        }
        return Decision.NOTHING;
    }

    private static Decision decideAttempt(DecisionBuilder draft, GateChain gates, MachineView machine) {
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            throw new IllegalStateException(machine.key() + " has a timer but no attempt");
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted ->
                renewOrExpireLease(draft, gates, machine, status, attempt, admitted.leaseExpiresAt());
            case AttemptState.Running running ->
                running.step().mayHaveCalled()
                        ? markUnknown(draft, status, attempt, "no report by its deadline")
                        : renewOrExpireLease(draft, gates, machine, status, attempt, running.deadline());
            case AttemptState.Unknown unknown ->
                AttemptFailureDecider.decide(
                        draft,
                        status,
                        attempt,
                        new AttemptFailure(
                                attempt.id(),
                                FailureClass.LOST,
                                FailureReason.NO_REPORT,
                                "no report since " + unknown.since(),
                                draft.at()));
        };
    }

    private static Decision renewOrExpireLease(
            DecisionBuilder draft,
            GateChain gates,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Instant leaseExpiresAt) {
        Instant expiresWithGrace = leaseExpiresAt.plus(CommandLeaseTimeouts.GRACE);
        if (!draft.at().isBefore(expiresWithGrace)) {
            return markUnknown(draft, status, attempt, "no report by the end of its command lease");
        }
        // An unreadable report may have been the worker's last: without expiry nothing else would end the attempt.
        boolean hasReadableReport = !draft.state().isUnreadable(new RowKey(Table.PROGRESS, status.key()));
        if (draft.at().isBefore(leaseExpiresAt) && machine.isUid(status.uid()) && hasReadableReport) {
            Decision renewal = renewLease(draft, gates, machine, status, attempt, leaseExpiresAt);
            if (!renewal.isNothing()) {
                return renewal;
            }
        }
        Instant recheckAt = draft.at().plus(CommandLeaseTimeouts.GRACE);
        draft.state()
                .dueWork()
                .recheckAttemptAt(machine, recheckAt.isBefore(expiresWithGrace) ? recheckAt : expiresWithGrace);
        return Decision.NOTHING;
    }

    private static Decision renewLease(
            DecisionBuilder draft,
            GateChain gates,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Instant leaseExpiresAt) {
        draft.state().refreshDerivedState(gates, draft.at());
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        StartCandidate candidate = rollout == null ? null : draft.state().candidateOf(rollout, machine, draft.at());
        if (rollout == null
                || candidate == null
                || gates.firstClosed(candidate, Gate.LeaseEffect.STOP_RENEWAL) != null) {
            return Decision.NOTHING;
        }
        Instant newExpiry = WorkerCommandFactory.leaseExpiry(candidate, draft.at());
        if (!newExpiry.isAfter(leaseExpiresAt)) {
            return Decision.NOTHING;
        }
        AttemptState state = attempt.state() instanceof AttemptState.Running running
                ? new AttemptState.Running(running.step(), running.changeId(), newExpiry)
                : new AttemptState.Admitted(newExpiry);
        draft.write(status.with(attempt.withState(state)));
        draft.write(WorkerCommandFactory.upgradeCommand(draft.state(), rollout, machine, status, attempt, newExpiry));
        return draft.build(DecisionEvent.ATTEMPT_RENEWED, status.key(), "");
    }

    static Decision markUnknown(DecisionBuilder draft, MachineStatus status, UpgradeAttempt attempt, String reason) {
        draft.write(status.with(attempt.withState(new AttemptState.Unknown(draft.at(), reason))));
        return draft.build(DecisionEvent.ATTEMPT_UNKNOWN, status.key(), reason);
    }
}
