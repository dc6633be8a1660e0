package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/** What time does to an open attempt: its licence is renewed or runs out, its outcome becomes unknown, then lost. */
public final class AttemptTimers {
    private AttemptTimers() {}

    public static Decision next(Draft draft, Gates gates) {
        FleetState state = draft.state();
        Machine machine = state.dueAttempt(draft.at());
        while (machine != null) {
            Machine due = machine;
            Decision decision = Undecidable.about(due.key(), () -> look(draft, gates, due));
            if (!decision.isNothing()) {
                return decision;
            }
            machine = state.dueAttempt(draft.at());
        }
        return Decision.NOTHING;
    }

    private static Decision look(Draft draft, Gates gates, Machine machine) {
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            throw new IllegalStateException(machine.key() + " has a timer and no attempt");
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> licence(draft, gates, machine, status, attempt, admitted.leaseExpiresAt());
            case AttemptState.Running running ->
                running.step().mayHaveCalled()
                        ? unknown(draft, status, attempt, "no word by its deadline")
                        : licence(draft, gates, machine, status, attempt, running.deadline());
            case AttemptState.Unknown unknown ->
                Failing.take(
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
            Draft draft, Gates gates, Machine machine, MachineStatus status, UpgradeAttempt attempt, Instant notAfter) {
        Instant given = notAfter.plus(Licence.GRACE);
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
        Instant soon = draft.at().plus(Licence.GRACE);
        draft.state().snooze(machine, soon.isBefore(given) ? soon : given);
        return Decision.NOTHING;
    }

    private static Decision renew(
            Draft draft, Gates gates, Machine machine, MachineStatus status, UpgradeAttempt attempt, Instant notAfter) {
        draft.state().settle(gates, draft.at());
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        Candidate candidate = rollout == null ? null : draft.state().candidate(rollout, machine, draft.at());
        if (rollout == null || candidate == null || gates.firstClosed(candidate, Gate.Hold.NO_RENEWAL) != null) {
            return Decision.NOTHING;
        }
        Instant next = Commands.notAfter(candidate, draft.at());
        if (!next.isAfter(notAfter)) {
            return Decision.NOTHING;
        }
        AttemptState state = attempt.state() instanceof AttemptState.Running running
                ? new AttemptState.Running(running.step(), running.changeId(), next)
                : new AttemptState.Admitted(next);
        draft.write(status.with(attempt.withState(state)));
        draft.write(Commands.upgrade(draft.state(), rollout, machine, status, attempt, next));
        return draft.decide(Event.ATTEMPT_RENEWED, status.key(), "");
    }

    static Decision unknown(Draft draft, MachineStatus status, UpgradeAttempt attempt, String why) {
        draft.write(status.with(attempt.withState(new AttemptState.Unknown(draft.at(), why))));
        return draft.decide(Event.ATTEMPT_UNKNOWN, status.key(), why);
    }
}
