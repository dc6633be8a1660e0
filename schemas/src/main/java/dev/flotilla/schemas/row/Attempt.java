package dev.flotilla.schemas.row;

import java.time.Instant;

/**
 * An open attempt to upgrade one machine.
 *
 * @param number the seq of its admission, so that it never repeats
 * @param cancelled whether its call is no longer wanted
 */
public record Attempt(
        long number, Driver driver, UpgradeOption target, AttemptState state, Instant since, boolean cancelled) {

    public Attempt in(AttemptState next) {
        return new Attempt(number, driver, target, next, since, cancelled);
    }

    public Attempt cancel() {
        return new Attempt(number, driver, target, state, since, true);
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
