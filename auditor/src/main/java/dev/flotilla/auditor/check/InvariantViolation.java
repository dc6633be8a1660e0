package dev.flotilla.auditor.check;

import java.time.Instant;

/**
 * What did not hold.
 *
 * @param at the instant of the decision or of the record
 * @param seq the newest decision that was looked at
 */
public record InvariantViolation(AuditInvariant invariant, Instant at, long seq, String detail) {
    @Override
    public String toString() {
        return "VIOLATION " + invariant.label() + " at " + at + " seq " + seq + ": " + detail;
    }
}
