package dev.flotilla.core.fleet;

import java.util.LinkedHashMap;
import java.util.Map;

/** The start queues of each rollout. */
final class StartQueueTable {
    private final Map<Rollout, RolloutStartQueues> byRollout = new LinkedHashMap<>();

    RolloutStartQueues of(Rollout rollout) {
        return byRollout.computeIfAbsent(rollout, absent -> new RolloutStartQueues());
    }

    /** Forgets the queues of a rollout: nothing of it waits any more. */
    void remove(Rollout rollout) {
        byRollout.remove(rollout);
    }
}
