package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that chapters are well formed, and that each checkpoint has the very rows that the one before and what followed
 * it lead to: that is what lets a chapter alone give any instant in it.
 */
final class ChapterVerifier {
    private static final int TOLD = 20;

    /** A chapter whose checkpoint is being written. */
    private record Open(JournalChapter chapter, long offset, String hash) {}

    private final ExpectedRowHashes rows;
    private final List<ChapterVerificationResult> chapters = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable Open open;
    private long count;

    /** @param fromTheBeginning whether the journal's first record is the first there ever was */
    ChapterVerifier(boolean fromTheBeginning) {
        this.rows = new ExpectedRowHashes(fromTheBeginning);
    }

    /** @param hash of the record's bytes */
    void verifyRecord(ConsumedRecord consumedRecord, JournalRecord record, String hash) {
        String event = record.event();
        if (event.equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label())) {
            checkpointed(record);
            return;
        }
        if (event.equals(DecisionEvent.CHAPTER_STARTED.label())) {
            begin(consumedRecord, record, hash);
        } else if (event.equals(DecisionEvent.CHAPTER_COMPLETED.label())) {
            complete(record);
        }
        record.changes().forEach(rows::applyChange);
    }

    private void begin(ConsumedRecord consumedRecord, JournalRecord record, String hash) {
        leaveOpen();
        JournalChapter chapter = chapter(record);
        if (chapter == null || chapter.seq() != record.seq() || chapter.isComplete()) {
            problem(record.seq(), "begins a chapter and its head names another one: " + chapter);
            return;
        }
        open = new Open(chapter, consumedRecord.offset(), hash);
        count = 0;
        rows.startCheckpoint(chapter.seq(), chapter.excludedSites());
    }

    private void checkpointed(JournalRecord record) {
        Open now = open;
        if (now == null) {
            // Where the journal's beginning was cut off within a checkpoint, its rest is nobody's.
            if (!chapters.isEmpty() || rows.isComplete()) {
                problem(record.seq(), "has rows of a checkpoint that nothing began");
            }
            return;
        }
        for (RowChange rowChange : record.changes()) {
            count++;
            if (!rows.compareRow(rowChange)) {
                problem(record.seq(), "has " + rowChange.rowKey() + " again");
            }
            if (rowChange instanceof FleetHead head
                    && (head.seq() != now.chapter().seq() || !head.journalHash().equals(now.hash()))) {
                problem(record.seq(), "has the head of seq " + head.seq() + " and is no checkpoint of it");
            }
        }
    }

    private void complete(JournalRecord record) {
        Open done = open;
        JournalChapter chapter = chapter(record);
        if (done == null) {
            if (!chapters.isEmpty() || rows.isComplete()) {
                problem(record.seq(), "completes a chapter that nothing began");
            }
            return;
        }
        Long said = chapter == null || chapter.seq() != done.chapter().seq() ? null : chapter.checkpointRows();
        if (said == null || said != count) {
            problem(
                    record.seq(),
                    "says that the checkpoint of " + done.chapter().seq() + " has " + said + " rows, and it has "
                            + count);
        }
        boolean comparable = rows.isComplete();
        List<String> told = rows.finishCheckpoint();
        open = null;
        CheckpointComparison checkpointComparison = comparable
                ? rows.differentRows() == 0 ? CheckpointComparison.SAME : CheckpointComparison.DIFFERENT
                : CheckpointComparison.FIRST;
        chapters.add(report(done, checkpointComparison, comparable ? told : List.of()));
        if (checkpointComparison == CheckpointComparison.DIFFERENT) {
            problem(
                    done.chapter().seq(),
                    "begins a chapter whose checkpoint differs in " + rows.differentRows()
                            + " rows from what the journal leads to");
        }
    }

    private ChapterVerificationResult report(Open of, CheckpointComparison checkpointComparison, List<String> told) {
        boolean whole = checkpointComparison == CheckpointComparison.SAME
                || checkpointComparison == CheckpointComparison.DIFFERENT;
        return new ChapterVerificationResult(
                of.chapter().seq(),
                of.chapter().startedAt(),
                of.offset(),
                count,
                checkpointComparison,
                of.chapter().excludedSites(),
                whole ? rows.excusedRows() : 0,
                whole ? rows.differentRows() : 0,
                told);
    }

    private void leaveOpen() {
        if (open != null) {
            chapters.add(report(open, CheckpointComparison.INCOMPLETE, List.of()));
            open = null;
        }
    }

    private static @Nullable JournalChapter chapter(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            if (rowChange instanceof FleetHead head) {
                return head.chapter();
            }
        }
        return null;
    }

    private void problem(long seq, String what) {
        if (problems.size() < TOLD) {
            problems.add("record " + seq + " " + what);
        }
    }

    /** Every chapter that began, in order; to be asked when all has been taken. */
    List<ChapterVerificationResult> finishVerification() {
        leaveOpen();
        return List.copyOf(chapters);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }
}
