package dev.flotilla.orchestrator.journal;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the journal's chapters without reading all of it: the head row names the newest, and each names the one before.
 * Only chapters with a complete checkpoint are listed.
 */
public final class JournalChapterIndex {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int MAX_POLLS = 50;

    private final PartitionReader reader;

    /** @param reader a reader of the journal */
    public JournalChapterIndex(PartitionReader reader) {
        this.reader = reader;
    }

    /**
     * A chapter and its position in the journal.
     *
     * @param rows rows in its checkpoint
     */
    public record ChapterPosition(long seq, long offset, long rows, Instant begunAt, JournalChapter chapter) {}

    /** The complete chapters that are kept, newest first. */
    public List<ChapterPosition> listChapters(FleetHead head) {
        List<ChapterPosition> found = new ArrayList<>();
        long beginning = JournalReader.beginning(reader);
        JournalChapter newest = head.chapter();
        JournalChapter.ChapterStart start = newest == null ? null : newest.newestComplete();
        while (start != null && start.offset() >= beginning) {
            JournalChapter chapter = readChapterAt(start);
            if (chapter == null) {
                return found;
            }
            found.add(new ChapterPosition(
                    start.seq(), start.offset(), start.checkpointRows(), chapter.startedAt(), chapter));
            start = chapter.previous();
        }
        return found;
    }

    /** Positions the reader at the start of the chapter that contains an instant, or at the journal's beginning. */
    public void findChapterBefore(FleetHead head, Instant instant) {
        for (ChapterPosition chapter : listChapters(head)) {
            if (!chapter.begunAt().isAfter(instant)) {
                reader.seek(JournalReader.journalPartition(), chapter.offset());
                return;
            }
        }
        reader.seekToBeginning(List.of(JournalReader.journalPartition()));
    }

    /** The chapter that a record starts; null if another record is at that offset, as in a copy of the topic. */
    private @Nullable JournalChapter readChapterAt(JournalChapter.ChapterStart start) {
        reader.seek(JournalReader.journalPartition(), start.offset());
        for (int i = 0; i < MAX_POLLS; i++) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            if (!reads.isEmpty()) {
                JournalRecord record = JournalReader.decodeRecord(reads.get(0));
                return record == null || record.seq() != start.seq() ? null : chapterStartedBy(record);
            }
        }
        return null;
    }

    private static @Nullable JournalChapter chapterStartedBy(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            if (rowChange instanceof FleetHead head
                    && head.chapter() != null
                    && head.chapter().seq() == record.seq()) {
                return head.chapter();
            }
        }
        return null;
    }
}
