package dev.flotilla.orchestrator.chapter;

import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** What the reader of a checkpoint hands over. */
public sealed interface CheckpointChunk {
    /** Rows for one record of the journal. */
    record ChunkRows(List<RowChange> rows) implements CheckpointChunk {
        public ChunkRows {
            rows = List.copyOf(rows);
        }
    }

    /** There are no more; so many there were. */
    record CheckpointEnd(long rows) implements CheckpointChunk {}

    /** The rows as of the cut cannot be had, and why. */
    record CheckpointFailed(String reason) implements CheckpointChunk {}
}
