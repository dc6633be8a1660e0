package dev.flotilla.orchestrator.chapter;

import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** What the reader of a checkpoint hands over. */
public sealed interface Portion {
    /** Rows for one record of the journal. */
    record Rows(List<RowChange> rows) implements Portion {
        public Rows {
            rows = List.copyOf(rows);
        }
    }

    /** There are no more; so many there were. */
    record End(long rows) implements Portion {}

    /** The rows as of the cut cannot be had, and why. */
    record Lost(String why) implements Portion {}
}
