package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that chapters are well formed, and that each checkpoint has exactly the rows to which the checkpoint before
 * and the later decisions lead. Therefore one chapter is enough to restore any instant in it.
 */
final class ChapterVerifier {
    private static final int MAX_LISTED = 20;

    /** A chapter whose checkpoint is not complete yet. */
    private record OpenChapter(JournalChapter chapter, long offset, String hash) {}

    private final ExpectedRowHashes rows;
    private final List<ChapterVerificationResult> chapters = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private @Nullable OpenChapter openChapter;
    private long rowCount;

    /** @param fromTheBeginning whether no record of the journal was deleted */
    ChapterVerifier(boolean fromTheBeginning) {
        this.rows = new ExpectedRowHashes(fromTheBeginning);
    }

    /** @param hash of the record's bytes */
    void verifyRecord(ConsumedRecord consumedRecord, JournalRecord record, String hash) {
        String event = record.event();
        if (event.equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label())) {
            verifyCheckpointPart(record);
            return;
        }
        if (event.equals(DecisionEvent.CHAPTER_STARTED.label())) {
            startChapter(consumedRecord, record, hash);
        } else if (event.equals(DecisionEvent.CHAPTER_COMPLETED.label())) {
            completeChapter(record);
        }
        record.changes().forEach(rows::applyChange);
    }

    private void startChapter(ConsumedRecord consumedRecord, JournalRecord record, String hash) {
        closeIncompleteChapter();
        JournalChapter chapter = chapterOf(record);
        if (chapter == null || chapter.seq() != record.seq() || chapter.isComplete()) {
            addProblem(record.seq(), "starts a chapter, but its head row names another one: " + chapter);
            return;
        }
        openChapter = new OpenChapter(chapter, consumedRecord.offset(), hash);
        rowCount = 0;
        rows.startCheckpoint(chapter.seq(), chapter.excludedSites());
    }

    private void verifyCheckpointPart(JournalRecord record) {
        OpenChapter current = openChapter;
        if (current == null) {
            // A journal whose beginning was deleted may start within a checkpoint.
            if (!chapters.isEmpty() || rows.isComplete()) {
                addProblem(record.seq(), "has rows of a checkpoint that no record starts");
            }
            return;
        }
        for (RowChange rowChange : record.changes()) {
            rowCount++;
            if (!rows.compareRow(rowChange)) {
                addProblem(record.seq(), "has " + rowChange.rowKey() + " a second time");
            }
            if (rowChange instanceof FleetHead head
                    && (head.seq() != current.chapter().seq()
                            || !head.journalHash().equals(current.hash()))) {
                addProblem(
                        record.seq(),
                        "has the head row of decision " + head.seq() + ", which is not the start of its chapter");
            }
        }
    }

    private void completeChapter(JournalRecord record) {
        OpenChapter completed = openChapter;
        JournalChapter chapter = chapterOf(record);
        if (completed == null) {
            if (!chapters.isEmpty() || rows.isComplete()) {
                addProblem(record.seq(), "completes a chapter that no record starts");
            }
            return;
        }
        Long statedRows =
                chapter == null || chapter.seq() != completed.chapter().seq() ? null : chapter.checkpointRows();
        if (statedRows == null || statedRows != rowCount) {
            addProblem(
                    record.seq(),
                    "states that the checkpoint of " + completed.chapter().seq() + " has " + statedRows
                            + " rows, but it has " + rowCount);
        }
        boolean comparable = rows.isComplete();
        List<String> differences = rows.finishCheckpoint();
        openChapter = null;
        CheckpointComparison checkpointComparison = comparable
                ? rows.differentRows() == 0 ? CheckpointComparison.SAME : CheckpointComparison.DIFFERENT
                : CheckpointComparison.FIRST;
        chapters.add(resultOf(completed, checkpointComparison, comparable ? differences : List.of()));
        if (checkpointComparison == CheckpointComparison.DIFFERENT) {
            addProblem(
                    completed.chapter().seq(),
                    "starts a chapter whose checkpoint differs in " + rows.differentRows()
                            + " rows from the journal's decisions");
        }
    }

    private ChapterVerificationResult resultOf(
            OpenChapter verified, CheckpointComparison checkpointComparison, List<String> differences) {
        boolean compared = checkpointComparison == CheckpointComparison.SAME
                || checkpointComparison == CheckpointComparison.DIFFERENT;
        return new ChapterVerificationResult(
                verified.chapter().seq(),
                verified.chapter().startedAt(),
                verified.offset(),
                rowCount,
                checkpointComparison,
                verified.chapter().excludedSites(),
                compared ? rows.excusedRows() : 0,
                compared ? rows.differentRows() : 0,
                differences);
    }

    private void closeIncompleteChapter() {
        if (openChapter != null) {
            chapters.add(resultOf(openChapter, CheckpointComparison.INCOMPLETE, List.of()));
            openChapter = null;
        }
    }

    private static @Nullable JournalChapter chapterOf(JournalRecord record) {
        for (RowChange rowChange : record.changes()) {
            if (rowChange instanceof FleetHead head) {
                return head.chapter();
            }
        }
        return null;
    }

    private void addProblem(long seq, String what) {
        if (problems.size() < MAX_LISTED) {
            problems.add("record " + seq + " " + what);
        }
    }

    /** All chapters that started, in order; called after the last record. */
    List<ChapterVerificationResult> finishVerification() {
        closeIncompleteChapter();
        return List.copyOf(chapters);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }
}
