package dev.flotilla.auditor.check;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** How often was looked, what did not hold, and what could not be judged. */
public final class AuditFindings {
    /** So many are kept in words; the others are counted. One breach brings many in its train. */
    private static final int KEPT = 1000;

    private final Consumer<InvariantViolation> listener;
    private final List<InvariantViolation> violations = new ArrayList<>();
    private final Map<AuditInvariant, Long> checks = new EnumMap<>(AuditInvariant.class);
    private final Map<AuditInvariant, Long> violated = new EnumMap<>(AuditInvariant.class);
    private final SortedMap<String, Long> reportUnverified = new TreeMap<>();
    private long seq;
    private long atMillis;

    public AuditFindings(Consumer<InvariantViolation> listener) {
        this.listener = listener;
    }

    /** From here on findings are about this decision. */
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
            if (violations.size() < KEPT) {
                violations.add(invariantViolation);
            }
            listener.accept(invariantViolation);
        }
    }

    void reportViolation(AuditInvariant auditInvariant, String detail) {
        require(false, auditInvariant, detail);
    }

    /** Something could not be judged, and why; better said than guessed. */
    void reportUnverified(String why) {
        reportUnverified.merge(why, 1L, Long::sum);
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

    /** Whether nothing that was looked at was wrong. */
    public boolean hasNoViolations() {
        return violated.isEmpty();
    }

    public SortedMap<String, Long> reportUnverified() {
        return new TreeMap<>(reportUnverified);
    }
}
