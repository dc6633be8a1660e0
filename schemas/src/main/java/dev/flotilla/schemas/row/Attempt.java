package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt to upgrade one machine.
 *
 * @param number the seq of its admission, so that it never repeats
 * @param cancelled whether its call is no longer wanted
 * @param machine the machine as it was admitted; null in rows of versions that did not write it
 */
public record Attempt(
        long number,
        Driver driver,
        UpgradeOption target,
        AttemptState state,
        Instant since,
        boolean cancelled,
        @Nullable AdmittedMachine machine) {

    public Attempt in(AttemptState next) {
        return new Attempt(number, driver, target, next, since, cancelled, machine);
    }

    public Attempt cancel() {
        return new Attempt(number, driver, target, state, since, true, machine);
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
