package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * A record in the log.
 *
 * @param rowChange its content; null if it cannot be decoded
 * @param appendedAt when the broker appended it, by the broker's clock
 * @param transaction null if it was written outside a transaction
 */
public record SimLogRecord(
        long offset,
        RowKey key,
        @Nullable RowChange rowChange,
        long appendedAt,
        @Nullable SimTransaction transaction) {

    boolean committed() {
        return transaction == null || transaction.state() == SimTransaction.TransactionState.COMMITTED;
    }

    boolean aborted() {
        return transaction != null && transaction.state() == SimTransaction.TransactionState.ABORTED;
    }
}
