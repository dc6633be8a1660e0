package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.StableHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node-worker.
 *
 * @param epoch of its session: one that is older than the newest can write nothing any more, and may not know it
 * @param drives by machine; null where it has nothing to do
 */
record Worker(Phase phase, int epoch, List<@Nullable Drive> drives, int crashes) {
    static final Worker IDLE = new Worker(Phase.IDLE, 0, List.of(), 0);

    /** Whoever has crashed is started again at once, which nobody sees. */
    enum Phase {
        IDLE,
        OWNING
    }

    Worker owning(int next, int machines) {
        return new Worker(Phase.OWNING, next, Collections.nCopies(machines, null), crashes);
    }

    Worker idle() {
        return new Worker(Phase.IDLE, 0, List.of(), crashes);
    }

    Worker crashed() {
        return new Worker(Phase.IDLE, 0, List.of(), crashes + 1);
    }

    Worker with(int machine, @Nullable Drive drive) {
        List<@Nullable Drive> next = new ArrayList<>(drives);
        next.set(machine, drive);
        return new Worker(phase, epoch, next, crashes);
    }

    void addTo(StableHash stableHash) {
        stableHash.add(phase.name()).add(epoch).add(crashes);
        for (Drive drive : drives) {
            if (drive == null) {
                stableHash.add(0);
            } else {
                drive.addTo(stableHash);
            }
        }
    }
}
