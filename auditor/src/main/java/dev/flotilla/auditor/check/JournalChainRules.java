package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.RowChange;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 9: the journal is one hash chain. Numbers have no gap, no record was changed, neither time nor term goes
 * back.
 */
final class JournalChainRules {
    /** Hashes of records that are kept for head rows that are read later. */
    private static final int MAX_HASHES = 10_000;

    private final AuditFindings auditFindings;
    private final Map<Long, String> hashes = new LinkedHashMap<>();
    private final MessageDigest sha256 = sha256();
    private @Nullable String last;
    private long firstSeq;
    private long seq;
    private long time = Long.MIN_VALUE;
    private long term;

    JournalChainRules(AuditFindings auditFindings) {
        this.auditFindings = auditFindings;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    void check(JournalRecord record, byte[] value) {
        if (last == null) {
            firstSeq = record.seq();
            if (firstSeq == 1) {
                auditFindings.require(
                        record.previousHash().isEmpty(),
                        AuditInvariant.JOURNAL,
                        "the first record has the hash of an earlier one");
            } else {
                auditFindings.reportUnverified("the chain before the journal's first kept record");
            }
        } else {
            auditFindings.require(
                    record.seq() == seq + 1,
                    AuditInvariant.JOURNAL,
                    "decision " + record.seq() + " follows decision " + seq + " in the journal");
            auditFindings.require(
                    record.previousHash().equals(last),
                    AuditInvariant.JOURNAL,
                    "decision " + record.seq() + " has previous hash " + shortened(record.previousHash())
                            + ", but the record before has " + shortened(last));
        }
        auditFindings.require(
                record.time() >= time,
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " has an earlier time than the one before");
        seq = record.seq();
        time = record.time();
        last = HexFormat.of().formatHex(sha256.digest(value));
        rememberHash();
        for (RowChange rowChange : record.changes()) {
            if (rowChange.row() instanceof FleetHead head && !record.isCheckpoint()) {
                checkHead(record, head);
            }
        }
    }

    private void rememberHash() {
        hashes.put(seq, String.valueOf(last));
        if (hashes.size() > MAX_HASHES) {
            hashes.remove(hashes.keySet().iterator().next());
        }
    }

    private void checkHead(JournalRecord record, FleetHead head) {
        auditFindings.require(
                head.seq() == record.seq() && head.decidedAt() == record.time(),
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " writes a head row of decision " + head.seq());
        auditFindings.require(
                head.term() >= term,
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " is of term " + head.term() + ", after term " + term);
        auditFindings.require(
                head.term() == term || term == 0 || record.event().equals(JournalRecord.LEADER_ELECTED),
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " starts term " + head.term() + " without an election");
        term = Math.max(term, head.term());
    }

    private static String shortened(String hash) {
        return hash.isEmpty() ? "nothing" : hash.substring(0, Math.min(12, hash.length()));
    }

    /** The hash of a record, or null if it is not known or not kept. */
    @Nullable
    String hashOf(long ofSeq) {
        return hashes.get(ofSeq);
    }

    /** The first record that was read; 0 before any was. */
    long firstSeq() {
        return firstSeq;
    }

    long seq() {
        return seq;
    }
}
