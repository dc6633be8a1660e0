package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * A record as it stands in the log.
 *
 * @param fact what it says; null where nobody can read it
 * @param appendedAt when the broker took it, by the broker's clock
 * @param transaction null for a write of its own
 */
public record SimLogRecord(
        long offset,
        RowKey key,
        @Nullable RowChange fact,
        long appendedAt,
        @Nullable SimTransaction transaction) {

    boolean committed() {
        return transaction == null || transaction.state() == SimTransaction.TransactionState.COMMITTED;
    }

    boolean aborted() {
        return transaction != null && transaction.state() == SimTransaction.TransactionState.ABORTED;
    }
}
