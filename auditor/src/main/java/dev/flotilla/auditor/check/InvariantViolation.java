package dev.flotilla.auditor.check;

import java.time.Instant;

/**
 * A violated invariant.
 *
 * @param at time of the decision or of the record
 * @param seq the newest decision that was checked
 */
public record InvariantViolation(AuditInvariant invariant, Instant at, long seq, String detail) {
    @Override
    public String toString() {
        return "VIOLATION " + invariant.label() + " at " + at + " seq " + seq + ": " + detail;
    }
}
