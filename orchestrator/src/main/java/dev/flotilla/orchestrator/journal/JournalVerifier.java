package dev.flotilla.orchestrator.journal;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;

/**
 * Verifies a journal, fed with its records in their order: the chain of hashes, that chapters are well formed, and that
 * each checkpoint has the rows that the chapter before leads to. Holds a number for each row of the fleet.
 */
public final class JournalVerifier {
    private final ChainCheck chain;
    private final ChapterCheck chapters;

    /**
     * @param fromTheBeginning whether nothing of the journal was deleted
     * @param head read before the journal, which must have all that it names
     */
    public JournalVerifier(boolean fromTheBeginning, FleetHead head) {
        this.chain = new ChainCheck(fromTheBeginning, head);
        this.chapters = new ChapterCheck(fromTheBeginning);
    }

    public void take(ConsumedRecord consumedRecord) {
        JournalRecord record = JournalReading.record(consumedRecord);
        chain.take(consumedRecord, record);
        if (record != null) {
            chapters.take(consumedRecord, record, chain.hash());
        }
    }

    /** Everything has been taken. */
    public JournalVerdict end() {
        chain.end();
        return new JournalVerdict(
                chain.records(),
                chain.firstSeq(),
                chain.lastSeq(),
                chain.firstBroken(),
                chain.why(),
                chapters.end(),
                chapters.problems());
    }
}
