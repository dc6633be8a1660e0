package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open attempt to upgrade one machine.
 *
 * @param id the seq of its admission, so it never repeats
 * @param cancelled whether it is cancelled: the worker must not make the call, and aborts what it has called if the provider can
 * @param machine the machine as it was admitted; null in rows of earlier versions
 */
public record UpgradeAttempt(
        long id,
        RolloutRef rolloutRef,
        UpgradeTarget target,
        AttemptState state,
        Instant admittedAt,
        boolean cancelled,
        @Nullable AttemptMachineSnapshot machine) {

    public UpgradeAttempt withState(AttemptState next) {
        return new UpgradeAttempt(id, rolloutRef, target, next, admittedAt, cancelled, machine);
    }

    public UpgradeAttempt withCancellation() {
        return new UpgradeAttempt(id, rolloutRef, target, state, admittedAt, true, machine);
    }

    /** What upgrades the machine, as it was admitted. */
    public UpgradeProvider provider() {
        return machine == null ? UpgradeProvider.K8SD : machine.provider();
    }

    /** Whether the worker may have made its call, according to its reports. */
    public boolean mayHaveCalled() {
        return switch (state) {
            case AttemptState.Admitted admitted -> false;
            case AttemptState.Running running -> running.step().mayHaveCalled();
            case AttemptState.Unknown unknown -> true;
        };
    }
}
