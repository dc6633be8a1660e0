package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import org.jspecify.annotations.Nullable;

/** Takes back what is no longer wanted: an attempt that has not called is cancelled, one of a lost site is written off. */
public final class LicenceReview {
    private LicenceReview() {}

    public static Decision next(Draft draft, Gates gates) {
        FleetState state = draft.state();
        Machine machine = state.pollLicence();
        while (machine != null) {
            Machine due = machine;
            Decision decision = Undecidable.about(due.key(), () -> review(draft, gates, due));
            if (!decision.isNothing()) {
                return decision;
            }
            machine = state.pollLicence();
        }
        return Decision.NOTHING;
    }

    private static Decision review(Draft draft, Gates gates, Machine machine) {
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status == null || attempt == null) {
            return Decision.NOTHING;
        }
        if (isWrittenOff(machine, attempt)) {
            return Failing.take(
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
        if (attempt.cancelled() || attempt.mayHaveCalled()) {
            return Decision.NOTHING;
        }
        String why = unwanted(draft, gates, machine, status, attempt);
        if (why == null) {
            return Decision.NOTHING;
        }
        draft.write(status.with(attempt.withCancellation()));
        draft.write(new WorkerCommand.CancelUpgrade(status.key(), status.uid(), attempt.id(), why));
        return draft.decide(Event.ATTEMPT_CANCELLING, status.key(), why);
    }

    /** Why an attempt's call is not wanted any more, or null. */
    private static @Nullable String unwanted(
            Draft draft, Gates gates, Machine machine, MachineStatus status, UpgradeAttempt attempt) {
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        if (rollout == null || rollout.over()) {
            return "driver-gone";
        }
        if (AttemptEnd.entry(status, attempt.rolloutRef()).outcome() == MachineOutcome.SKIPPED) {
            return "skipped";
        }
        if (!machine.isUid(status.uid())) {
            return "machine-gone";
        }
        draft.state().settle(gates, draft.at());
        Candidate candidate = draft.state().candidate(rollout, machine, draft.at());
        Gate closed = candidate == null ? null : gates.firstClosed(candidate, Gate.Hold.TAKES_BACK);
        return closed == null ? null : closed.label().label();
    }

    private static boolean isWrittenOff(Machine machine, UpgradeAttempt attempt) {
        Cluster home = machine.cluster();
        return home != null && attempt.id() < home.site().writtenOffBelow();
    }
}
