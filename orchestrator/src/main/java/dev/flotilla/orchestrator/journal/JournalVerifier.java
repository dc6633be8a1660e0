package dev.flotilla.orchestrator.journal;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;

/**
 * Verifies a journal from its records, in order: the hash chain, the form of chapters, and that each checkpoint has the
 * rows to which the chapter before leads. It holds a hash for each row of the fleet.
 */
public final class JournalVerifier {
    private final HashChainVerifier chain;
    private final ChapterVerifier chapters;

    /**
     * @param fromTheBeginning whether no record of the journal was deleted
     * @param head the head row, read before the journal, which must have all records up to it
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

    /** Ends the verification after the last record. */
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
