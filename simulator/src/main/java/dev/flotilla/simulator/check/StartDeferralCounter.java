package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.HashMap;
import java.util.Map;

/** Counts from the workers' words how often in a row each refused to start a machine: the next attempt comes later each time. */
final class StartDeferralCounter {
    private static final long FIRST = 15_000;
    private static final long LONGEST = 900_000;
    private static final int MOST_DOUBLINGS = 10;

    private final ViolationLog violationLog;
    /** By the machine, which another of its name is not. */
    private final Map<Machine, Map<RolloutRef, Integer>> inRow = new HashMap<>();

    private record Machine(MachineKey key, String uid) {
        static Machine of(MachineStatus status) {
            return new Machine(status.key(), status.uid());
        }
    }

    StartDeferralCounter(ViolationLog violationLog) {
        this.violationLog = violationLog;
    }

    /** What a machine's row no longer names is counted from zero when it comes again. */
    void forgetMachine(MachineStatus after) {
        Map<RolloutRef, Integer> counts = inRow.get(Machine.of(after));
        if (counts != null) {
            counts.keySet().removeIf(rolloutRef -> ReferenceFleetState.entry(after, rolloutRef) == null);
        }
    }

    /** An attempt failed or succeeded. */
    void attemptEnded(MachineStatus machine, RolloutRef rolloutRef) {
        inRow.getOrDefault(Machine.of(machine), new HashMap<>()).remove(rolloutRef);
    }

    /** The worker refused: three quarters of the doubled wait have to pass, from the admission on at the least. */
    void check(MachineStatus machine, UpgradeAttempt refused, RolloutEntry after) {
        if (after.outcome() != MachineOutcome.OPEN) {
            return;
        }
        int times = inRow.computeIfAbsent(Machine.of(machine), absent -> new HashMap<>())
                .merge(refused.rolloutRef(), 1, Integer::sum);
        long wait = Math.min(LONGEST, FIRST << Math.min(times - 1, MOST_DOUBLINGS)) * 3 / 4;
        violationLog.require(
                after.retryAt() != null
                        && !after.retryAt().isBefore(refused.since().plusMillis(wait)),
                Invariant.BACKOFF,
                machine.key() + " is tried again at " + after.retryAt() + " after " + times
                        + " refusals, the last one of " + refused.since());
    }
}
