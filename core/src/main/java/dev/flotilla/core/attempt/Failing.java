package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Instant;

/** An attempt has failed: another is made later, or the machine is quarantined. */
final class Failing {
    private Failing() {}

    static Decision take(Draft draft, MachineStatus status, UpgradeAttempt attempt, AttemptFailure failure) {
        RolloutEntry entry = AttemptEnd.entry(status, attempt.rolloutRef());
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        RetryRule rule = rollout == null ? RetryRule.DEFAULT : rollout.rules().retries();
        int failures = entry.failedAttempts() + 1;
        boolean last = failure.failureClass() == FailureClass.TERMINAL || failures >= rule.maxAttempts();
        boolean skipped = entry.outcome() == MachineOutcome.SKIPPED;
        MachineOutcome outcome = skipped ? MachineOutcome.SKIPPED : last ? MachineOutcome.QUARANTINED : MachineOutcome.OPEN;
        Instant retryAt = outcome == MachineOutcome.OPEN ? draft.at().plus(Backoff.after(rule, status.key(), failures)) : null;
        RolloutEntry next = outcome == MachineOutcome.QUARANTINED
                ? entry.quarantined(failures, draft.seq())
                : entry.withFailedAttempts(failures, retryAt, outcome);
        AttemptEnd.close(draft, status, next, failure);
        return draft.decide(
                outcome == MachineOutcome.QUARANTINED ? Event.MACHINE_QUARANTINED : Event.ATTEMPT_FAILED,
                status.key(),
                failure.reason().label());
    }
}
