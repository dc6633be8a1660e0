package dev.flotilla.core.fleet.rollout;

import java.util.LinkedHashMap;
import java.util.Map;

/** The start queues of each rollout. */
public final class StartQueueTable {
    private final Map<Rollout, RolloutStartQueues> byRollout = new LinkedHashMap<>();

    public RolloutStartQueues of(Rollout rollout) {
        return byRollout.computeIfAbsent(rollout, absent -> new RolloutStartQueues());
    }

    /** Removes the queues of a rollout. */
    void remove(Rollout rollout) {
        byRollout.remove(rollout);
    }
}
