package dev.flotilla.simulator.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.DecisionTooLargeException;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.OpenTransaction;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.log.RecordSizeLimits;
import org.jspecify.annotations.Nullable;

/** A simulated leader's decisions since its last commit. */
final class SimOpenTransaction implements OpenTransaction {
    private final OrchestratorContext context;
    private final HeadRowWriter headRowWriter;
    private final DecisionBatch batch;

    SimOpenTransaction(OrchestratorContext context, HeadRowWriter headRowWriter, FleetState state, String leader) {
        this.context = context;
        this.headRowWriter = headRowWriter;
        this.batch = new DecisionBatch(state, leader);
    }

    DecisionBatch batch() {
        return batch;
    }

    @Override
    public void add(Decision decision) {
        JournalRecord journalRecord = DecisionBatch.journalRecordOf(decision, headRowWriter.journalHash());
        if (context.safeguards().limitsRecordSize()) {
            requireWithinLimits(journalRecord, context.log().limits());
        }
        headRowWriter.recordDecision(decision);
        batch.add(decision, journalRecord);
        headRowWriter.recordJournalHash(SimJournalHashChain.nextHash(headRowWriter.journalHash(), decision));
        context.transcript().append(batch.leader(), () -> DecisionText.describeDecision(decision));
    }

    @Override
    public boolean hasRoom() {
        return batch.decisions().size() < context.loopConfig().maxDecisions();
    }

    private static void requireWithinLimits(JournalRecord journalRecord, RecordSizeLimits limits) {
        requireWithinLimits(limits.sizeProblem(journalRecord));
        for (RowChange rowChange : journalRecord.changes()) {
            requireWithinLimits(limits.sizeProblem(rowChange));
        }
    }

    private static void requireWithinLimits(@Nullable String reason) {
        if (reason != null) {
            throw new DecisionTooLargeException(reason);
        }
    }
}
