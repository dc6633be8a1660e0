package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.fleet.CommandLeaseTimeouts;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/** What time does to an open attempt: its licence is renewed or runs out, its outcome becomes unknown, then lost. */
public final class AttemptTimerDecider {
    private AttemptTimerDecider() {}

    public static Decision decideNext(DecisionBuilder draft, GateChain gates) {
        FleetState state = draft.state();
        MachineView machine = state.nextDueAttempt(draft.at());
        while (machine != null) {
            MachineView due = machine;
            Decision decision = DecisionFailedException.runFor(due.key(), () -> look(draft, gates, due));
            if (!decision.isNothing()) {
                return decision;
            }
            machine = state.nextDueAttempt(draft.at());
        }
        return Decision.NOTHING;
    }

    private static Decision look(DecisionBuilder draft, GateChain gates, MachineView machine) {
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            throw new IllegalStateException(machine.key() + " has a timer and no attempt");
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted ->
                licence(draft, gates, machine, status, attempt, admitted.leaseExpiresAt());
            case AttemptState.Running running ->
                running.step().mayHaveCalled()
                        ? unknown(draft, status, attempt, "no word by its deadline")
                        : licence(draft, gates, machine, status, attempt, running.deadline());
            case AttemptState.Unknown unknown ->
                AttemptFailureDecider.decide(
                        draft,
                        status,
                        attempt,
                        new AttemptFailure(
                                attempt.id(),
                                FailureClass.LOST,
                                FailureReason.NO_REPORT,
                                "nothing was heard of it since " + unknown.since(),
                                draft.at()));
        };
    }

    private static Decision licence(
            DecisionBuilder draft,
            GateChain gates,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Instant notAfter) {
        Instant given = notAfter.plus(CommandLeaseTimeouts.GRACE);
        if (!draft.at().isBefore(given)) {
            return unknown(draft, status, attempt, "no word by the end of its licence");
        }
        // What cannot be read may have been its worker's last word: then nothing else would ever end it.
        boolean heard = !draft.state().isUnreadable(new RowKey(Table.PROGRESS, status.key()));
        if (draft.at().isBefore(notAfter) && machine.isUid(status.uid()) && heard) {
            Decision renewed = renew(draft, gates, machine, status, attempt, notAfter);
            if (!renewed.isNothing()) {
                return renewed;
            }
        }
        Instant soon = draft.at().plus(CommandLeaseTimeouts.GRACE);
        draft.state().recheckAttemptAt(machine, soon.isBefore(given) ? soon : given);
        return Decision.NOTHING;
    }

    private static Decision renew(
            DecisionBuilder draft,
            GateChain gates,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Instant notAfter) {
        draft.state().refreshDerivedState(gates, draft.at());
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        StartCandidate candidate = rollout == null ? null : draft.state().candidateOf(rollout, machine, draft.at());
        if (rollout == null
                || candidate == null
                || gates.firstClosed(candidate, Gate.LeaseEffect.STOP_RENEWAL) != null) {
            return Decision.NOTHING;
        }
        Instant next = WorkerCommandFactory.leaseExpiry(candidate, draft.at());
        if (!next.isAfter(notAfter)) {
            return Decision.NOTHING;
        }
        AttemptState state = attempt.state() instanceof AttemptState.Running running
                ? new AttemptState.Running(running.step(), running.changeId(), next)
                : new AttemptState.Admitted(next);
        draft.write(status.with(attempt.withState(state)));
        draft.write(WorkerCommandFactory.upgradeCommand(draft.state(), rollout, machine, status, attempt, next));
        return draft.build(DecisionEvent.ATTEMPT_RENEWED, status.key(), "");
    }

    static Decision unknown(DecisionBuilder draft, MachineStatus status, UpgradeAttempt attempt, String why) {
        draft.write(status.with(attempt.withState(new AttemptState.Unknown(draft.at(), why))));
        return draft.build(DecisionEvent.ATTEMPT_UNKNOWN, status.key(), why);
    }
}
