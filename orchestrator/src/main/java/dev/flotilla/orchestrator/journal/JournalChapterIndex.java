package dev.flotilla.orchestrator.journal;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.PartitionReader;
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
 * The chapters that the journal has, found without reading it: the head names the newest, and each names the one before.
 * Only those count whose checkpoint is whole.
 */
public final class JournalChapterIndex {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int POLLS = 50;

    private final PartitionReader reader;

    /** @param reader of the journal */
    public JournalChapterIndex(PartitionReader reader) {
        this.reader = reader;
    }

    /**
     * A chapter that stands in the journal.
     *
     * @param rows in its checkpoint
     */
    public record ChapterPosition(long seq, long offset, long rows, Instant begunAt, JournalChapter chapter) {}

    /** The complete chapters that are kept, the newest first. */
    public List<ChapterPosition> listChapters(FleetHead head) {
        List<ChapterPosition> found = new ArrayList<>();
        long beginning = JournalReader.beginning(reader);
        JournalChapter newest = head.chapter();
        JournalChapter.ChapterStart at = newest == null ? null : newest.newestComplete();
        while (at != null && at.offset() >= beginning) {
            JournalChapter chapter = begunAt(at);
            if (chapter == null) {
                return found;
            }
            found.add(new ChapterPosition(at.seq(), at.offset(), at.checkpointRows(), chapter.startedAt(), chapter));
            at = chapter.previous();
        }
        return found;
    }

    /** Makes the reader stand where the chapter begins that an instant is in, or at the journal's beginning. */
    public void findChapterBefore(FleetHead head, Instant instant) {
        for (ChapterPosition chapter : listChapters(head)) {
            if (!chapter.begunAt().isAfter(instant)) {
                reader.seek(JournalReader.journalPartition(), chapter.offset());
                return;
            }
        }
        reader.seekToBeginning(List.of(JournalReader.journalPartition()));
    }

    /** The chapter that a record began; null where another record stands there, as in a copy of the topic. */
    private @Nullable JournalChapter begunAt(JournalChapter.ChapterStart at) {
        reader.seek(JournalReader.journalPartition(), at.offset());
        for (int i = 0; i < POLLS; i++) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            if (!reads.isEmpty()) {
                JournalRecord record = JournalReader.decodeRecord(reads.get(0));
                return record == null || record.seq() != at.seq() ? null : begun(record);
            }
        }
        return null;
    }

    private static @Nullable JournalChapter begun(JournalRecord record) {
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
