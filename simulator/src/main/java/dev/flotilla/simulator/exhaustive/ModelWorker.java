package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.column.StableHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node-worker in the model.
 *
 * @param epoch of its session; a session older than the newest can write nothing and may not know it
 * @param attempts the attempts by machine; null if there is none
 */
record ModelWorker(WorkerPhase phase, int epoch, List<@Nullable ModelAttempt> attempts, int crashes) {
    static final ModelWorker IDLE = new ModelWorker(WorkerPhase.IDLE, 0, List.of(), 0);

    /** A crashed process restarts immediately without a partition. */
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
        List<@Nullable ModelAttempt> next = new ArrayList<>(attempts);
        next.set(machine, modelAttempt);
        return new ModelWorker(phase, epoch, next, crashes);
    }

    void addTo(StableHash stableHash) {
        stableHash.add(phase.name()).add(epoch).add(crashes);
        for (ModelAttempt modelAttempt : attempts) {
            if (modelAttempt == null) {
                stableHash.add(0);
            } else {
                modelAttempt.addTo(stableHash);
            }
        }
    }
}
