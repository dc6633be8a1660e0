package dev.flotilla.core.fleet.time;

import dev.flotilla.core.fleet.column.MachinePriorityHeap;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntBinaryOperator;

/** When something has to be looked at again about a machine: its attempt, or its wait for the next one. */
public final class MachineTimerQueue extends MachinePriorityHeap {
    public static final long NEVER = Long.MAX_VALUE;

    public MachineTimerQueue(IntBinaryOperator keyOrder) {
        super(keyOrder);
    }

    /** When the first falls due; {@link #NEVER} where none does. */
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
            case AttemptState.Admitted admitted -> licence(attempt, admitted.leaseExpiresAt());
            case AttemptState.Running running ->
                running.step().mayHaveCalled()
                        ? running.deadline().toEpochMilli()
                        : licence(attempt, running.deadline());
            case AttemptState.Unknown unknown -> unknown.since().plus(lostAfter).toEpochMilli();
        };
    }

    private static long licence(UpgradeAttempt attempt, Instant notAfter) {
        return attempt.cancelled()
                ? notAfter.plus(CommandLeaseTimeouts.GRACE).toEpochMilli()
                : notAfter.minus(CommandLeaseTimeouts.RENEW_BEFORE).toEpochMilli();
    }

    /** The first retry, or end of a rest, that is still to come after an instant: another driver's may be long past. */
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
