package dev.flotilla.core.leader;

import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record of an input table, as a leader or a standby has read it. */
public interface InputRecord {
    TablePartition partition();

    long offset();

    /** The record's key as it was written; null if it has none. */
    @Nullable
    String writtenKey();

    /** When the broker appended it, in milliseconds. */
    long appendedAt();

    /** The decoded content; null if it is unreadable. */
    @Nullable
    RowChange rowChange();

    /** The row that says what is wrong with the record; null if nothing is. An unreadable record always has one. */
    @Nullable
    RejectedRecord findDefect(Instant at);
}
