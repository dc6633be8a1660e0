package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal's newest chapter: a checkpoint of all rows as they were after one record, and what follows it.
 *
 * @param seq of the record that began it; its checkpoint is of the rows after that record
 * @param bytes of the journal's records since, those of the checkpoint itself left out
 * @param offset of that record in the journal's topic; null until it is committed
 * @param rows in the checkpoint; null until all of them are written
 * @param without sites whose tables could not be read, so that the checkpoint has no rows of them
 * @param before the newest chapter before it whose checkpoint is whole; null where there is none
 */
public record Chapter(
        long seq,
        Instant begun,
        long bytes,
        @Nullable Long offset,
        @Nullable Long rows,
        List<SiteId> without,
        @Nullable Begin before) {

    /** Where a chapter with a whole checkpoint begins in the journal's topic, and how many rows that has. */
    public record Begin(long seq, long offset, long rows) {}

    public Chapter {
        without = List.copyOf(without);
    }

    /** One that begins after another, or as the first. */
    public static Chapter after(@Nullable Chapter last, long seq, Instant begun, List<SiteId> without) {
        return new Chapter(seq, begun, 0, null, null, without, last == null ? null : last.newestComplete());
    }

    /** Whether its checkpoint is whole. */
    public boolean isComplete() {
        return rows != null;
    }

    /** The newest chapter with a whole checkpoint: this one, or the one before. */
    public @Nullable Begin newestComplete() {
        return rows != null && offset != null ? new Begin(seq, offset, rows) : before;
    }

    public Chapter standsAt(long place) {
        return new Chapter(seq, begun, bytes, place, rows, without, before);
    }

    public Chapter grown(long more) {
        return new Chapter(seq, begun, bytes + more, offset, rows, without, before);
    }

    public Chapter complete(long count) {
        return new Chapter(seq, begun, bytes, offset, count, without, before);
    }
}
