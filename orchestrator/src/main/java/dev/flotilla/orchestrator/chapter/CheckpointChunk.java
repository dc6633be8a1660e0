package dev.flotilla.orchestrator.chapter;

import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** One chunk of a checkpoint, as its reader delivers it. */
public sealed interface CheckpointChunk {
    /** Rows that fit one journal record. */
    record ChunkRows(List<RowChange> rows) implements CheckpointChunk {
        public ChunkRows {
            rows = List.copyOf(rows);
        }
    }

    /** The end of the checkpoint, with the number of its rows. */
    record CheckpointEnd(long rows) implements CheckpointChunk {}

    /** The rows as of the consistent cut cannot be read, for this reason. */
    record CheckpointFailed(String reason) implements CheckpointChunk {}
}
