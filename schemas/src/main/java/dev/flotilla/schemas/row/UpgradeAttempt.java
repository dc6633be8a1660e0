package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt to upgrade one machine.
 *
 * @param id the seq of its admission, so that it never repeats
 * @param cancelled whether its call is no longer wanted
 * @param machine the machine as it was admitted; null in rows of versions that did not write it
 */
public record UpgradeAttempt(
        long id,
        RolloutRef rolloutRef,
        UpgradeTarget target,
        AttemptState state,
        Instant since,
        boolean cancelled,
        @Nullable AttemptMachineSnapshot machine) {

    public UpgradeAttempt withState(AttemptState next) {
        return new UpgradeAttempt(id, rolloutRef, target, next, since, cancelled, machine);
    }

    public UpgradeAttempt withCancellation() {
        return new UpgradeAttempt(id, rolloutRef, target, state, since, true, machine);
    }

    /** Whether the worker may have made its call, as far as it has told. */
    public boolean mayHaveCalled() {
        return switch (state) {
            case AttemptState.Admitted admitted -> false;
            case AttemptState.Running running -> running.step().mayHaveCalled();
            case AttemptState.Unknown unknown -> true;
        };
    }
}
