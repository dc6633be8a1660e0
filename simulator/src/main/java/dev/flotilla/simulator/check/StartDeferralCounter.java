package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts from the workers' reports how often in a row each one deferred a start: the wait before the next attempt
 * doubles each time.
 */
final class StartDeferralCounter {
    private static final long FIRST = 15_000;
    private static final long LONGEST = 900_000;
    private static final int MOST_DOUBLINGS = 10;

    private final ViolationLog violationLog;
    /** By machine uid, because another machine may have the same name. */
    private final Map<MachineIdentity, Map<RolloutRef, Integer>> deferrals = new HashMap<>();

    private record MachineIdentity(MachineKey key, String uid) {
        static MachineIdentity of(MachineStatus status) {
            return new MachineIdentity(status.key(), status.uid());
        }
    }

    StartDeferralCounter(ViolationLog violationLog) {
        this.violationLog = violationLog;
    }

    /** Resets the count of rollouts that a machine's row no longer names. */
    void forgetMachine(MachineStatus after) {
        Map<RolloutRef, Integer> counts = deferrals.get(MachineIdentity.of(after));
        if (counts != null) {
            counts.keySet().removeIf(rolloutRef -> ReferenceFleetState.entry(after, rolloutRef) == null);
        }
    }

    /** Resets the count after an attempt failed or succeeded. */
    void attemptEnded(MachineStatus machine, RolloutRef rolloutRef) {
        deferrals.getOrDefault(MachineIdentity.of(machine), new HashMap<>()).remove(rolloutRef);
    }

    /** Checks a deferral: the next attempt waits at least three quarters of the doubled wait since the admission. */
    void check(MachineStatus machine, UpgradeAttempt deferred, RolloutEntry after) {
        if (after.outcome() != MachineOutcome.OPEN) {
            return;
        }
        int times = deferrals
                .computeIfAbsent(MachineIdentity.of(machine), absent -> new HashMap<>())
                .merge(deferred.rolloutRef(), 1, Integer::sum);
        long wait = Math.min(LONGEST, FIRST << Math.min(times - 1, MOST_DOUBLINGS)) * 3 / 4;
        violationLog.require(
                after.retryAt() != null
                        && !after.retryAt().isBefore(deferred.admittedAt().plusMillis(wait)),
                Invariant.BACKOFF,
                machine.key() + " is retried at " + after.retryAt() + " after " + times
                        + " deferrals, the last one of the attempt since " + deferred.admittedAt());
    }
}
