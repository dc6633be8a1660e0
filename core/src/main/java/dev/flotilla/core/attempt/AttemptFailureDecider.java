package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;

/** Decides on a failed attempt: it is retried later, or its machine is quarantined. */
final class AttemptFailureDecider {
    private AttemptFailureDecider() {}

    static Decision decide(
            DecisionBuilder draft, MachineStatus status, UpgradeAttempt attempt, AttemptFailure failure) {
        RolloutEntry entry = MachineStatusWriter.entryOf(status, attempt.rolloutRef());
        Rollout rollout = draft.state().rollout(attempt.rolloutRef());
        RetryRule rule = rollout == null ? RetryRule.DEFAULT : rollout.rules().retryRule();
        int failures = entry.failedAttempts() + 1;
        boolean isFinal = failure.failureClass() == FailureClass.TERMINAL || failures >= rule.maxAttempts();
        boolean skipped = entry.outcome() == MachineOutcome.SKIPPED;
        MachineOutcome outcome =
                skipped ? MachineOutcome.SKIPPED : isFinal ? MachineOutcome.QUARANTINED : MachineOutcome.OPEN;
        Instant retryAt = outcome == MachineOutcome.OPEN
                ? draft.at().plus(RetryBackoff.afterFailures(rule, status.key(), failures))
                : null;
        RolloutEntry next = outcome == MachineOutcome.QUARANTINED
                ? entry.withQuarantine(failures, draft.seq())
                : entry.withFailedAttempts(failures, retryAt, outcome);
        MachineStatusWriter.closeAttempt(draft, status, next, failure);
        return draft.build(
                outcome == MachineOutcome.QUARANTINED
                        ? DecisionEvent.MACHINE_QUARANTINED
                        : DecisionEvent.ATTEMPT_FAILED,
                status.key(),
                failure.reason().label());
    }
}
