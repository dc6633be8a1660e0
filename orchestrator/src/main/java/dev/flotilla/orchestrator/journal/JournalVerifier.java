package dev.flotilla.orchestrator.journal;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;

/**
 * Verifies a journal, fed with its records in their order: the chain of hashes, that chapters are well formed, and that
 * each checkpoint has the rows that the chapter before leads to. Holds a number for each row of the fleet.
 */
public final class JournalVerifier {
    private final HashChainVerifier chain;
    private final ChapterVerifier chapters;

    /**
     * @param fromTheBeginning whether nothing of the journal was deleted
     * @param head read before the journal, which must have all that it names
     */
    public JournalVerifier(boolean fromTheBeginning, FleetHead head) {
        this.chain = new HashChainVerifier(fromTheBeginning, head);
        this.chapters = new ChapterVerifier(fromTheBeginning);
    }

    public void verifyRecord(ConsumedRecord consumedRecord) {
        JournalRecord record = JournalReader.decodeRecord(consumedRecord);
        chain.verifyRecord(consumedRecord, record);
        if (record != null) {
            chapters.verifyRecord(consumedRecord, record, chain.hash());
        }
    }

    /** Everything has been taken. */
    public JournalVerificationResult finishVerification() {
        chain.finishVerification();
        return new JournalVerificationResult(
                chain.records(),
                chain.firstSeq(),
                chain.lastSeq(),
                chain.firstBroken(),
                chain.brokenReason(),
                chapters.finishVerification(),
                chapters.problems());
    }
}
