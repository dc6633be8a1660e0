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
record ModelWorker(WorkerPhase phase, int epoch, List<@Nullable ModelAttempt> drives, int crashes) {
    static final ModelWorker IDLE = new ModelWorker(WorkerPhase.IDLE, 0, List.of(), 0);

    /** Whoever has crashed is started again at once, which nobody sees. */
    enum WorkerPhase {
        IDLE,
        OWNING
    }

    ModelWorker owning(int next, int machines) {
        return new ModelWorker(WorkerPhase.OWNING, next, Collections.nCopies(machines, null), crashes);
    }

    ModelWorker idle() {
        return new ModelWorker(WorkerPhase.IDLE, 0, List.of(), crashes);
    }

    ModelWorker crashed() {
        return new ModelWorker(WorkerPhase.IDLE, 0, List.of(), crashes + 1);
    }

    ModelWorker with(int machine, @Nullable ModelAttempt modelAttempt) {
        List<@Nullable ModelAttempt> next = new ArrayList<>(drives);
        next.set(machine, modelAttempt);
        return new ModelWorker(phase, epoch, next, crashes);
    }

    void addTo(StableHash stableHash) {
        stableHash.add(phase.name()).add(epoch).add(crashes);
        for (ModelAttempt modelAttempt : drives) {
            if (modelAttempt == null) {
                stableHash.add(0);
            } else {
                modelAttempt.addTo(stableHash);
            }
        }
    }
}
