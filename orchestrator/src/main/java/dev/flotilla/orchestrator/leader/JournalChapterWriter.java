package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.orchestrator.chapter.CheckpointChunk;
import dev.flotilla.orchestrator.chapter.JournalChapterScheduler;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the journal's chapters during one leader term: decides to start one when it is due, and adds its checkpoint to
 * the transactions, beside the decisions.
 */
final class JournalChapterWriter {
    private final JournalChapterScheduler journalChapterScheduler;
    private final DecisionEngine decisionEngine;
    private final HeadRowWriter headRowWriter;
    private final LeaderTermClock clock;
    private final Set<SiteId> readable = new LinkedHashSet<>();
    /** Whether the last record of the open transaction starts a chapter. */
    private boolean startsChapter;

    JournalChapterWriter(
            JournalChapterScheduler journalChapterScheduler,
            DecisionEngine decisionEngine,
            HeadRowWriter headRowWriter,
            LeaderTermClock clock) {
        this.journalChapterScheduler = journalChapterScheduler;
        this.decisionEngine = decisionEngine;
        this.headRowWriter = headRowWriter;
        this.clock = clock;
    }

    /** Includes a site's rows in the chapters that start from now on: its tables can be read. */
    void includeSite(SiteId site) {
        readable.add(site);
    }

    /** Excludes a site's rows from the chapters that start from now on. */
    void excludeSite(SiteId site) {
        readable.remove(site);
    }

    /**
     * Advances the journal's chapters, after the decisions. The record that starts a chapter is the last one of its
     * transaction.
     *
     * @return whether there may be more to write
     */
    boolean advanceChapter(TransactionBuilder transactionBuilder) {
        if (journalChapterScheduler.isDue(
                decisionEngine.state().head(), clock.now().toEpochMilli(), clock.elapsedMillis(), readable)) {
            decide(
                    new DecisionInput.ChapterDue(
                            JournalChapterScheduler.excludedSites(
                                    headRowWriter.siteHeads().keySet(), readable),
                            clock.now()),
                    transactionBuilder);
            transactionBuilder.seal();
            startsChapter = true;
            return false;
        }
        CheckpointChunk checkpointChunk = pollChunk(transactionBuilder);
        while (checkpointChunk != null) {
            processChunk(checkpointChunk, transactionBuilder);
            checkpointChunk = pollChunk(transactionBuilder);
        }
        return journalChapterScheduler.hasChunks();
    }

    private @Nullable CheckpointChunk pollChunk(TransactionBuilder transactionBuilder) {
        return transactionBuilder.hasRoomForCheckpoint() ? journalChapterScheduler.pollChunk() : null;
    }

    private void processChunk(CheckpointChunk checkpointChunk, TransactionBuilder transactionBuilder) {
        switch (checkpointChunk) {
            case CheckpointChunk.ChunkRows chunkRows ->
                decisionEngine.processInput(
                        new DecisionInput.CheckpointPartRead(clock.now()),
                        0,
                        part -> transactionBuilder.addCheckpoint(part, chunkRows.rows()));
            case CheckpointChunk.CheckpointEnd checkpointEnd -> {
                decide(new DecisionInput.CheckpointCompleted(checkpointEnd.rows(), clock.now()), transactionBuilder);
                journalChapterScheduler.chapterCompleted();
            }
            case CheckpointChunk.CheckpointFailed checkpointFailed ->
                journalChapterScheduler.chapterFailed(checkpointFailed.reason(), clock.elapsedMillis());
        }
    }

    private void decide(DecisionInput input, TransactionBuilder transactionBuilder) {
        decisionEngine.processInput(input, 0, transactionBuilder::add);
    }

    /** Starts reading a chapter's checkpoint after its first record is committed as the journal's last record. */
    void onCommit(TransactionalRowWriter.CommitResult commitResult) {
        if (startsChapter) {
            startsChapter = false;
            headRowWriter.recordChapterStart(
                    headRowWriter.head().seq(),
                    commitResult.nextOffsets().getOrDefault(TablePartition.of(Table.JOURNAL), 1L) - 1);
            journalChapterScheduler.startChapter(
                    new ConsistentCut(headRowWriter.head(), headRowWriter.siteHeads()),
                    commitResult.nextOffsets(),
                    readable);
        }
    }
}
