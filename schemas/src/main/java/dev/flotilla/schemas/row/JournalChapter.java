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
 * @param checkpointRows in the checkpoint; null until all of them are written
 * @param excludedSites sites whose tables could not be read, so that the checkpoint has no rows of them
 * @param previous the newest chapter before it whose checkpoint is whole; null where there is none
 */
public record JournalChapter(
        long seq,
        Instant startedAt,
        long bytes,
        @Nullable Long offset,
        @Nullable Long checkpointRows,
        List<SiteId> excludedSites,
        @Nullable ChapterStart previous) {

    /** Where a chapter with a whole checkpoint begins in the journal's topic, and how many rows that has. */
    public record ChapterStart(long seq, long offset, long checkpointRows) {}

    public JournalChapter {
        excludedSites = List.copyOf(excludedSites);
    }

    /** One that begins after another, or as the first. */
    public static JournalChapter after(@Nullable JournalChapter last, long seq, Instant begun, List<SiteId> without) {
        return new JournalChapter(seq, begun, 0, null, null, without, last == null ? null : last.newestComplete());
    }

    /** Whether its checkpoint is whole. */
    public boolean isComplete() {
        return checkpointRows != null;
    }

    /** The newest chapter with a whole checkpoint: this one, or the one before. */
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
