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
public final class Findings {
    /** So many are kept in words; the others are counted. One breach brings many in its train. */
    private static final int KEPT = 1000;

    private final Consumer<Violation> listener;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<Invariant, Long> checks = new EnumMap<>(Invariant.class);
    private final Map<Invariant, Long> violated = new EnumMap<>(Invariant.class);
    private final SortedMap<String, Long> unverified = new TreeMap<>();
    private long seq;
    private long atMillis;

    public Findings(Consumer<Violation> listener) {
        this.listener = listener;
    }

    /** From here on findings are about this decision. */
    void about(long newSeq, long newAtMillis) {
        seq = newSeq;
        atMillis = newAtMillis;
    }

    void require(boolean holds, Invariant invariant, String detail) {
        checks.merge(invariant, 1L, Long::sum);
        if (!holds) {
            Violation violation = new Violation(invariant, Instant.ofEpochMilli(atMillis), seq, detail);
            violated.merge(invariant, 1L, Long::sum);
            if (violations.size() < KEPT) {
                violations.add(violation);
            }
            listener.accept(violation);
        }
    }

    void broken(Invariant invariant, String detail) {
        require(false, invariant, detail);
    }

    /** Something could not be judged, and why; better said than guessed. */
    void unverified(String why) {
        unverified.merge(why, 1L, Long::sum);
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    public long checks(Invariant invariant) {
        return checks.getOrDefault(invariant, 0L);
    }

    public long violated(Invariant invariant) {
        return violated.getOrDefault(invariant, 0L);
    }

    /** Whether nothing that was looked at was wrong. */
    public boolean allHolds() {
        return violated.isEmpty();
    }

    public SortedMap<String, Long> unverified() {
        return new TreeMap<>(unverified);
    }
}
