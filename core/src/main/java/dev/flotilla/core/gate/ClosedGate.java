package dev.flotilla.core.gate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is closed, with what was compared.
 *
 * @param actual what there is
 * @param required what there would have to be
 * @param message the same in words, for a person
 * @param opensAt when it opens by itself, as far as that is known; null where it is not
 */
public record ClosedGate(
        GateLabel gate,
        String actual,
        String required,
        String message,
        @Nullable Instant opensAt) {
    /** One of which nobody knows when it opens. */
    public ClosedGate(GateLabel gate, String have, String need, String says) {
        this(gate, have, need, says, null);
    }

    static ClosedGate numbers(GateLabel gate, long have, long need, String says) {
        return new ClosedGate(gate, Long.toString(have), Long.toString(need), says);
    }
}
