package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The journal's newest chapter: a checkpoint of all rows as of one record, and the records that follow.
 *
 * @param seq the seq of the record that began it; its checkpoint has the rows after that record
 * @param bytes the size of the journal's records since, without the checkpoint
 * @param offset the offset of that record in the journal's topic; null until it is committed
 * @param checkpointRows the number of rows in the checkpoint; null until all of them are written
 * @param excludedSites sites whose tables are unreadable, so that the checkpoint has no rows of them
 * @param previous the newest earlier chapter with a complete checkpoint; null if there is none
 */
public record JournalChapter(
        long seq,
        Instant startedAt,
        long bytes,
        @Nullable Long offset,
        @Nullable Long checkpointRows,
        List<SiteId> excludedSites,
        @Nullable ChapterStart previous) {

    /** The beginning of a chapter with a complete checkpoint in the journal's topic, and the number of rows of that checkpoint. */
    public record ChapterStart(long seq, long offset, long checkpointRows) {}

    public JournalChapter {
        excludedSites = List.copyOf(excludedSites);
    }

    /** Begins a chapter after another, or the first one. */
    public static JournalChapter after(@Nullable JournalChapter last, long seq, Instant begun, List<SiteId> without) {
        return new JournalChapter(seq, begun, 0, null, null, without, last == null ? null : last.newestComplete());
    }

    /** Whether its checkpoint is complete. */
    public boolean isComplete() {
        return checkpointRows != null;
    }

    /** Returns the newest chapter with a complete checkpoint: this one or the previous one. */
    public @Nullable ChapterStart newestComplete() {
        return checkpointRows != null && offset != null ? new ChapterStart(seq, offset, checkpointRows) : previous;
    }

    public JournalChapter withOffset(long place) {
        return new JournalChapter(seq, startedAt, bytes, place, checkpointRows, excludedSites, previous);
    }

    public JournalChapter withAddedBytes(long more) {
        return new JournalChapter(seq, startedAt, bytes + more, offset, checkpointRows, excludedSites, previous);
    }

    public JournalChapter withCheckpointRows(long count) {
        return new JournalChapter(seq, startedAt, bytes, offset, count, excludedSites, previous);
    }
}
