package dev.flotilla.simulator.log;

import java.util.LinkedHashMap;
import java.util.Map;

/** Records that become visible together or not at all. */
final class Transaction {
    enum State {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private State state = State.OPEN;
    private final Map<Partition, Long> firstOffsets = new LinkedHashMap<>();

    State state() {
        return state;
    }

    void touches(Partition partition, long offset) {
        if (firstOffsets.putIfAbsent(partition, offset) == null || !partition.hasOpen(this)) {
            partition.opened(this, offset);
        }
    }

    void end(State with) {
        state = with;
        firstOffsets.keySet().forEach(partition -> partition.ended(this));
    }
}
