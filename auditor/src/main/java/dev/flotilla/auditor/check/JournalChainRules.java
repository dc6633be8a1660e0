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

/** Invariant 9: the journal is one chain. Numbers have no gap, no record can be changed, neither time nor term goes back. */
final class JournalChainRules {
    /** Hashes of so many records are kept for heads that are read later. */
    private static final int KEPT = 10_000;

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
                        "the first record names one before it");
            } else {
                auditFindings.reportUnverified("the chain before the first record that is left of the journal");
            }
        } else {
            auditFindings.require(
                    record.seq() == seq + 1,
                    AuditInvariant.JOURNAL,
                    "decision " + record.seq() + " follows decision " + seq + " in the journal");
            auditFindings.require(
                    record.previousHash().equals(last),
                    AuditInvariant.JOURNAL,
                    "decision " + record.seq() + " names " + shortened(record.previousHash())
                            + " as the hash of the record before, which has " + shortened(last));
        }
        auditFindings.require(
                record.time() >= time, AuditInvariant.JOURNAL, "decision " + record.seq() + " goes back in time");
        seq = record.seq();
        time = record.time();
        last = HexFormat.of().formatHex(sha256.digest(value));
        remember();
        for (RowChange rowChange : record.changes()) {
            if (rowChange.row() instanceof FleetHead head && !record.isCheckpoint()) {
                head(record, head);
            }
        }
    }

    private void remember() {
        hashes.put(seq, String.valueOf(last));
        if (hashes.size() > KEPT) {
            hashes.remove(hashes.keySet().iterator().next());
        }
    }

    private void head(JournalRecord record, FleetHead head) {
        auditFindings.require(
                head.seq() == record.seq() && head.decidedAt() == record.time(),
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " writes a head of seq " + head.seq());
        auditFindings.require(
                head.term() >= term,
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " is of term " + head.term() + ", after term " + term);
        auditFindings.require(
                head.term() == term || term == 0 || record.event().equals(JournalRecord.LEADER_ELECTED),
                AuditInvariant.JOURNAL,
                "decision " + record.seq() + " begins term " + head.term() + " without a take-over");
        term = Math.max(term, head.term());
    }

    private static String shortened(String hash) {
        return hash.isEmpty() ? "nothing" : hash.substring(0, Math.min(12, hash.length()));
    }

    /** The hash of a record, or null where it is not known (any more). */
    @Nullable
    String hashOf(long ofSeq) {
        return hashes.get(ofSeq);
    }

    /** The first record that was read; zero before any was. */
    long firstSeq() {
        return firstSeq;
    }

    long seq() {
        return seq;
    }
}
