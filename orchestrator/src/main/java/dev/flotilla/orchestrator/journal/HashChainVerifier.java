package dev.flotilla.orchestrator.journal;

import dev.flotilla.orchestrator.loop.JournalHashChain;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import org.jspecify.annotations.Nullable;

/**
 * Checks record after record that each names the hash of the bytes of the one before, and that none is missing. The first
 * one kept names the end of what was deleted, or nothing where nothing was.
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
            broken(lastSeq + 1, "the record at offset " + consumedRecord.offset() + " cannot be read");
        } else {
            firstSeq = records == 1 ? record.seq() : firstSeq;
            checkLink(record);
            lastSeq = record.seq();
        }
        hash = JournalHashChain.hashOf(consumedRecord.record());
        if (record != null && record.seq() == head.seq() && !head.journalHash().equals(hash)) {
            broken(record.seq(), "the head names another hash for it");
        }
    }

    private void checkLink(JournalRecord record) {
        if (hash == null) {
            if (fromTheBeginning && !record.previousHash().isEmpty()) {
                broken(record.seq(), "it is the first and names a record before");
            }
        } else if (!record.previousHash().equals(hash)) {
            broken(record.seq(), "it names another record before it than the one that stands there");
        } else if (record.seq() != lastSeq + 1) {
            broken(record.seq(), "it follows " + lastSeq);
        }
    }

    /** Everything has been read. */
    void finishVerification() {
        if (lastSeq < head.seq()) {
            broken(lastSeq + 1, "the journal ends at " + lastSeq + ", and the head is at " + head.seq());
        }
    }

    private void broken(long seq, String what) {
        if (firstBroken == null) {
            firstBroken = seq;
            brokenReason = what;
        }
    }

    long records() {
        return records;
    }

    /** The first record that was read: what was deleted before it is not verified. */
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
