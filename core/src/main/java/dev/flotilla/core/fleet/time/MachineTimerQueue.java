package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.column.MachinePriorityHeap;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntBinaryOperator;

/** The times at which machines must be checked: for their attempt, or for their next retry. */
public final class MachineTimerQueue extends MachinePriorityHeap {
    public static final long NEVER = Long.MAX_VALUE;

    public MachineTimerQueue(IntBinaryOperator keyOrder) {
        super(keyOrder);
    }

    /** When the first timer is due; {@link #NEVER} for none. */
    public long nextDueMillis() {
        return isEmpty() ? NEVER : firstOrder();
    }

    public void set(int machine, long at) {
        if (at == NEVER) {
            remove(machine);
        } else {
            put(machine, Math.max(0, at));
        }
    }

    public static long of(MachineStatus status, Duration lostAfter) {
        UpgradeAttempt attempt = status.attempt();
        if (attempt == null) {
            return retry(status, Instant.EPOCH);
        }
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> leaseTimer(attempt, admitted.leaseExpiresAt());
            case AttemptState.Running running ->
                running.step().mayHaveCalled()
                        ? running.deadline().toEpochMilli()
                        : leaseTimer(attempt, running.deadline());
            case AttemptState.Unknown unknown -> unknown.since().plus(lostAfter).toEpochMilli();
        };
    }

    private static long leaseTimer(UpgradeAttempt attempt, Instant leaseExpiresAt) {
        return attempt.cancelled()
                ? leaseExpiresAt.plus(CommandLeaseTimeouts.GRACE).toEpochMilli()
                : leaseExpiresAt.minus(CommandLeaseTimeouts.RENEW_BEFORE).toEpochMilli();
    }

    /** The first retry or end of a soak after an instant: that of another rollout may be long past. */
    public static long retry(MachineStatus status, Instant after) {
        long first = NEVER;
        for (RolloutEntry entry : status.entries()) {
            Instant retryAt = entry.retryAt();
            if (retryAt != null && retryAt.isAfter(after) && !entry.outcome().hasEnded()) {
                first = Math.min(first, retryAt.toEpochMilli());
            }
            Instant rest = entry.soakUntil();
            if (rest != null && rest.isAfter(after)) {
                first = Math.min(first, rest.toEpochMilli());
            }
        }
        return first;
    }
}
