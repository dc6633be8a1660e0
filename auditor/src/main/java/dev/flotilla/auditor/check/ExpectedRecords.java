package dev.flotilla.auditor.check;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.BooleanSupplier;

/**
 * What must turn up in another topic. Topics are read side by side, so that one may be ahead of the other; and the marks
 * of one transaction reach its partitions one after the other. So nothing is missed before everything that stood in all
 * topics has been read, twice, {@link #GRACE} apart.
 */
final class ExpectedRecords {
    static final long GRACE = 5000;
    private static final long NOT_YET = Long.MIN_VALUE;

    private static final class Expectation {
        private final AuditInvariant auditInvariant;
        private final String detail;
        private final long seq;
        private final long at;
        private final BooleanSupplier settled;
        private final BooleanSupplier excused;
        private long since = NOT_YET;

        Expectation(
                AuditInvariant auditInvariant,
                String detail,
                long seq,
                long at,
                BooleanSupplier settled,
                BooleanSupplier excused) {
            this.auditInvariant = auditInvariant;
            this.detail = detail;
            this.seq = seq;
            this.at = at;
            this.settled = settled;
            this.excused = excused;
        }
    }

    private final AuditFindings auditFindings;
    private final Deque<Expectation> open = new ArrayDeque<>();

    ExpectedRecords(AuditFindings auditFindings) {
        this.auditFindings = auditFindings;
    }

    /**
     * Expects something.
     *
     * @param excused whether, where it does not come, compaction may have taken it
     */
    void expectRecord(
            AuditInvariant auditInvariant,
            String detail,
            long seq,
            long at,
            BooleanSupplier settled,
            BooleanSupplier excused) {
        if (settled.getAsBoolean()) {
            auditFindings.require(true, auditInvariant, detail);
        } else {
            open.add(new Expectation(auditInvariant, detail, seq, at, settled, excused));
        }
    }

    /** Everything that stood in all topics a moment ago has been read. */
    void caughtUp(long now) {
        Iterator<Expectation> each = open.iterator();
        while (each.hasNext()) {
            Expectation expectation = each.next();
            if (expectation.settled.getAsBoolean()) {
                auditFindings.require(true, expectation.auditInvariant, expectation.detail);
                each.remove();
            } else if (expectation.since == NOT_YET) {
                expectation.since = now;
            } else if (now - expectation.since >= GRACE) {
                each.remove();
                if (expectation.excused.getAsBoolean()) {
                    auditFindings.reportUnverified("records that compaction may have taken");
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
