package dev.flotilla.simulator.log;

import java.util.LinkedHashMap;
import java.util.Map;

/** Records that become visible together or not at all. */
final class SimTransaction {
    enum TransactionState {
        OPEN,
        COMMITTED,
        ABORTED
    }

    private TransactionState transactionState = TransactionState.OPEN;
    private final Map<SimLogPartition, Long> firstOffsets = new LinkedHashMap<>();

    TransactionState state() {
        return transactionState;
    }

    void addPartition(SimLogPartition partition, long offset) {
        if (firstOffsets.putIfAbsent(partition, offset) == null || !partition.hasOpen(this)) {
            partition.opened(this, offset);
        }
    }

    void end(TransactionState with) {
        transactionState = with;
        firstOffsets.keySet().forEach(partition -> partition.ended(this));
    }
}
