package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Instant;

/** An attempt has failed: another is made later, or the machine is quarantined. */
final class Failing {
    private Failing() {}

    static Decision take(Draft draft, MachineStatus status, Attempt attempt, Failure failure) {
        Entry entry = AttemptEnd.entry(status, attempt.driver());
        Rollout rollout = draft.state().rollout(attempt.driver());
        RetryRule rule = rollout == null ? RetryRule.DEFAULT : rollout.rules().retries();
        int failures = entry.failedAttempts() + 1;
        boolean last = failure.failureClass() == FailureClass.TERMINAL || failures >= rule.attempts();
        boolean skipped = entry.outcome() == Outcome.SKIPPED;
        Outcome outcome = skipped ? Outcome.SKIPPED : last ? Outcome.QUARANTINED : Outcome.OPEN;
        Instant retryAt = outcome == Outcome.OPEN ? draft.at().plus(Backoff.after(rule, status.key(), failures)) : null;
        Entry next = outcome == Outcome.QUARANTINED
                ? entry.quarantined(failures, draft.seq())
                : entry.next(failures, retryAt, outcome);
        AttemptEnd.close(draft, status, next, failure);
        return draft.decide(
                outcome == Outcome.QUARANTINED ? Event.MACHINE_QUARANTINED : Event.ATTEMPT_FAILED,
                status.key(),
                failure.reason().label());
    }
}
