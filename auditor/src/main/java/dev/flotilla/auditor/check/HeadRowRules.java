package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.TableRow;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 9: head rows and journal agree. Head rows are updated with offsets and the journal hash at each commit, so
 * they are not equal to the journal's rows: number, hash and term are compared.
 */
final class HeadRowRules {
    private final AuditFindings auditFindings;
    private final JournalChainRules journalChainRules;
    private final Map<Long, FleetHead> early = new LinkedHashMap<>();
    private final Map<RowKey, Long> seqs = new HashMap<>();
    private final Map<String, Long> offsets = new HashMap<>();
    private final Map<String, String> read = new HashMap<>();
    private long seq;
    private long term;

    HeadRowRules(AuditFindings auditFindings, JournalChainRules journalChainRules) {
        this.auditFindings = auditFindings;
        this.journalChainRules = journalChainRules;
    }

    void checkHeadRow(RowKey rowKey, @Nullable Long header, @Nullable TableRow tableRow) {
        if (header == null) {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE, rowKey + " has no decision number: no orchestrator wrote it");
            return;
        }
        long before = seqs.getOrDefault(rowKey, 0L);
        auditFindings.require(
                header >= before,
                AuditInvariant.ZOMBIE,
                rowKey + " is of decision " + header + ", but the table already had " + before);
        seqs.put(rowKey, Math.max(before, header));
        if (tableRow instanceof FleetHead head) {
            checkFleetHead(head);
            checkOffsets(rowKey, head.offsets(), head.topics(), "");
        } else if (tableRow instanceof SiteHead head) {
            checkOffsets(rowKey, head.offsets(), head.topics(), head.adoptOrderId());
        }
    }

    private void checkFleetHead(FleetHead head) {
        auditFindings.require(
                head.seq() >= seq && head.term() >= term,
                AuditInvariant.ZOMBIE,
                "the head row goes from decision " + seq + " of term " + term + " back to " + head.seq() + " of term "
                        + head.term());
        seq = Math.max(seq, head.seq());
        term = Math.max(term, head.term());
        if (head.seq() > journalChainRules.seq()) {
            early.put(head.seq(), head);
        } else {
            compare(head);
        }
    }

    private void compare(FleetHead head) {
        String hash = journalChainRules.hashOf(head.seq());
        if (hash == null) {
            auditFindings.reportUnverified("head rows whose journal record was not read");
        } else {
            auditFindings.require(
                    hash.equals(head.journalHash()),
                    AuditInvariant.JOURNAL,
                    "head/fleet at seq " + head.seq() + " has another hash than the journal");
        }
    }

    /** An input is not decided on again, except in topics that an operator has adopted. */
    private void checkOffsets(RowKey rowKey, Map<String, Long> next, Map<String, String> topics, String adopted) {
        next.forEach((partition, offset) -> {
            String name = rowKey.key() + " " + partition;
            String topic = topics.getOrDefault(partition.substring(0, partition.indexOf('/')), "");
            boolean same = (topic + " " + adopted).equals(read.put(name, topic + " " + adopted));
            long before = same ? offsets.getOrDefault(name, 0L) : 0;
            auditFindings.require(
                    offset >= before,
                    AuditInvariant.ZOMBIE,
                    "the offset of " + name + " in the head row decreases from " + before + " to " + offset);
            offsets.put(name, offset);
        });
    }

    /** The journal has been read up to a decision: each head row up to there can be compared now or never. */
    void checkDecision(long newSeq) {
        Iterator<FleetHead> waiting = early.values().iterator();
        boolean more = waiting.hasNext();
        while (more) {
            FleetHead head = waiting.next();
            more = head.seq() <= newSeq;
            if (more) {
                waiting.remove();
                compare(head);
                more = waiting.hasNext();
            }
        }
    }

    /** Whether a head row refers to decisions that the journal does not have, although all of it was read. */
    boolean isAhead() {
        return !early.isEmpty();
    }

    long seq() {
        return seq;
    }
}
