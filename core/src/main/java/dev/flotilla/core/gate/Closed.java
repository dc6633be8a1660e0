package dev.flotilla.core.gate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A gate that is closed, with what was compared.
 *
 * @param have what there is
 * @param need what there would have to be
 * @param says the same in words, for a person
 * @param opens when it opens by itself, as far as that is known; null where it is not
 */
public record Closed(
        GateLabel gate,
        String have,
        String need,
        String says,
        @Nullable Instant opens) {
    /** One of which nobody knows when it opens. */
    public Closed(GateLabel gate, String have, String need, String says) {
        this(gate, have, need, says, null);
    }

    static Closed numbers(GateLabel gate, long have, long need, String says) {
        return new Closed(gate, Long.toString(have), Long.toString(need), says);
    }
}
