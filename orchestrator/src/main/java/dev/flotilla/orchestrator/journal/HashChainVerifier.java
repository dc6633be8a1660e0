package dev.flotilla.orchestrator.journal;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.orchestrator.leader.JournalHashChain;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that each record has the hash of the record before it, and that no record is missing. The first record may
 * refer to a deleted one, or to none if nothing was deleted.
 */
final class HashChainVerifier {
    private final boolean fromTheBeginning;
    private final FleetHead head;
    private long records;
    private long firstSeq;
    private long lastSeq;
    private @Nullable String hash;
    private @Nullable Long firstBroken;
    private String brokenReason = "";

    HashChainVerifier(boolean fromTheBeginning, FleetHead head) {
        this.fromTheBeginning = fromTheBeginning;
        this.head = head;
    }

    void verifyRecord(ConsumedRecord consumedRecord, @Nullable JournalRecord record) {
        records++;
        if (record == null) {
            recordBreak(lastSeq + 1, "the record at offset " + consumedRecord.offset() + " is unreadable");
        } else {
            firstSeq = records == 1 ? record.seq() : firstSeq;
            checkLink(record);
            lastSeq = record.seq();
        }
        hash = JournalHashChain.hashOf(consumedRecord.record());
        if (record != null && record.seq() == head.seq() && !head.journalHash().equals(hash)) {
            recordBreak(record.seq(), "the head row has another hash for it");
        }
    }

    private void checkLink(JournalRecord record) {
        if (hash == null) {
            if (fromTheBeginning && !record.previousHash().isEmpty()) {
                recordBreak(record.seq(), "it is the first record but has the hash of an earlier one");
            }
        } else if (!record.previousHash().equals(hash)) {
            recordBreak(record.seq(), "its previous hash is not the hash of the record before it");
        } else if (record.seq() != lastSeq + 1) {
            recordBreak(record.seq(), "it follows record " + lastSeq);
        }
    }

    /** Ends the verification after the last record. */
    void finishVerification() {
        if (lastSeq < head.seq()) {
            recordBreak(
                    lastSeq + 1, "the journal ends at record " + lastSeq + ", but the head row is at " + head.seq());
        }
    }

    private void recordBreak(long seq, String what) {
        if (firstBroken == null) {
            firstBroken = seq;
            brokenReason = what;
        }
    }

    long records() {
        return records;
    }

    /** The first record that was read; deleted records before it are not verified. */
    long firstSeq() {
        return firstSeq;
    }

    /** The hash of the last record that was read. */
    String hash() {
        return String.valueOf(hash);
    }

    long lastSeq() {
        return lastSeq;
    }

    @Nullable
    Long firstBroken() {
        return firstBroken;
    }

    String brokenReason() {
        return brokenReason;
    }
}
