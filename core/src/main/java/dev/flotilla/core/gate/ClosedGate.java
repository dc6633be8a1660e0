package dev.flotilla.core.gate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A closed gate with the values that it compared.
 *
 * @param actual the current value
 * @param required the value that would open the gate
 * @param message what blocks the machine and how to unblock it, for an operator
 * @param opensAt when the gate opens by itself; null if unknown
 */
public record ClosedGate(
        GateLabel gate,
        String actual,
        String required,
        String message,
        @Nullable Instant opensAt) {
    /** A gate whose opening time is unknown. */
    public ClosedGate(GateLabel gate, String actual, String required, String message) {
        this(gate, actual, required, message, null);
    }

    /** A number with its noun: "1 machine", "3 machines". */
    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    static ClosedGate numbers(GateLabel gate, long actual, long required, String message) {
        return new ClosedGate(gate, Long.toString(actual), Long.toString(required), message);
    }
}
