package dev.flotilla.auditor.check;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/**
 * Records that must appear in another topic. Topics are read in parallel, so one may be ahead of another, and the
 * markers of one transaction reach its partitions one after another. A record is missing only after everything in all
 * topics was read twice, {@link #GRACE} apart.
 */
final class ExpectedRecords {
    static final long GRACE = 5000;
    private static final long NOT_YET = Long.MIN_VALUE;

    private static final class Expectation {
        private final AuditInvariant auditInvariant;
        private final String detail;
        private final long seq;
        private final long at;
        private final BooleanSupplier condition;
        private final BooleanSupplier excused;
        private long missingSince = NOT_YET;

        Expectation(
                AuditInvariant auditInvariant,
                String detail,
                long seq,
                long at,
                BooleanSupplier condition,
                BooleanSupplier excused) {
            this.auditInvariant = auditInvariant;
            this.detail = detail;
            this.seq = seq;
            this.at = at;
            this.condition = condition;
            this.excused = excused;
        }
    }

    private final AuditFindings auditFindings;
    private final Deque<Expectation> open = new ArrayDeque<>();

    ExpectedRecords(AuditFindings auditFindings) {
        this.auditFindings = auditFindings;
    }

    /**
     * Expects a record.
     *
     * @param excused whether compaction may have removed the record if it does not appear
     */
    void expectRecord(
            AuditInvariant auditInvariant,
            String detail,
            long seq,
            long at,
            BooleanSupplier condition,
            BooleanSupplier excused) {
        if (condition.getAsBoolean()) {
            auditFindings.require(true, auditInvariant, detail);
        } else {
            open.add(new Expectation(auditInvariant, detail, seq, at, condition, excused));
        }
    }

    /** Everything that was in all topics a moment ago has been read. */
    void caughtUp(long now) {
        Iterator<Expectation> iterator = open.iterator();
        while (iterator.hasNext()) {
            Expectation expectation = iterator.next();
            if (expectation.condition.getAsBoolean()) {
                auditFindings.require(true, expectation.auditInvariant, expectation.detail);
                iterator.remove();
            } else if (expectation.missingSince == NOT_YET) {
                expectation.missingSince = now;
            } else if (now - expectation.missingSince >= GRACE) {
                iterator.remove();
                if (expectation.excused.getAsBoolean()) {
                    auditFindings.reportUnverified("records that compaction may have removed");
                } else {
                    auditFindings.setDecision(expectation.seq, expectation.at);
                    auditFindings.reportViolation(expectation.auditInvariant, expectation.detail);
                }
            }
        }
    }

    boolean isEmpty() {
        return open.isEmpty();
    }
}
