package dev.flotilla.auditor.check;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Counts checks, keeps violations, and counts what could not be verified. */
public final class AuditFindings {
    /** Violations that are kept with their text; the others are only counted. One breach may cause many. */
    private static final int MAX_VIOLATIONS = 1000;

    private final Consumer<InvariantViolation> listener;
    private final List<InvariantViolation> violations = new ArrayList<>();
    private final Map<AuditInvariant, Long> checks = new EnumMap<>(AuditInvariant.class);
    private final Map<AuditInvariant, Long> violated = new EnumMap<>(AuditInvariant.class);
    private final SortedMap<String, Long> unverified = new TreeMap<>();
    private long seq;
    private long atMillis;

    public AuditFindings(Consumer<InvariantViolation> listener) {
        this.listener = listener;
    }

    /** Later findings are about this decision. */
    void setDecision(long newSeq, long newAtMillis) {
        seq = newSeq;
        atMillis = newAtMillis;
    }

    void require(boolean holds, AuditInvariant auditInvariant, String detail) {
        checks.merge(auditInvariant, 1L, Long::sum);
        if (!holds) {
            InvariantViolation invariantViolation =
                    new InvariantViolation(auditInvariant, Instant.ofEpochMilli(atMillis), seq, detail);
            violated.merge(auditInvariant, 1L, Long::sum);
            if (violations.size() < MAX_VIOLATIONS) {
                violations.add(invariantViolation);
            }
            listener.accept(invariantViolation);
        }
    }

    void reportViolation(AuditInvariant auditInvariant, String detail) {
        require(false, auditInvariant, detail);
    }

    /** Records that something could not be verified, and why. */
    void reportUnverified(String reason) {
        unverified.merge(reason, 1L, Long::sum);
    }

    public List<InvariantViolation> violations() {
        return List.copyOf(violations);
    }

    public long checks(AuditInvariant auditInvariant) {
        return checks.getOrDefault(auditInvariant, 0L);
    }

    public long violated(AuditInvariant auditInvariant) {
        return violated.getOrDefault(auditInvariant, 0L);
    }

    /** Whether no check failed. */
    public boolean hasNoViolations() {
        return violated.isEmpty();
    }

    public SortedMap<String, Long> unverified() {
        return new TreeMap<>(unverified);
    }
}
