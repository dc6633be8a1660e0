package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;

/** A worker's newest report about a machine. */
public record AttemptProgress(MachineKey key, String uid, long attemptId, AttemptReport report, Instant reportedAt)
        implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.PROGRESS, key);
    }
}
