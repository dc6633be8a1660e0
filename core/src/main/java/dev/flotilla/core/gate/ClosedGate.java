package dev.flotilla.core.gate;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A closed gate with the values that it compared.
 *
 * @param actual the current value
 * @param required the value that would open the gate
 * @param message what blocks the machine and how to unblock it, for an operator
 * @param opensAt when the gate opens by itself; null if unknown
 * @param needsPerson whether it stays closed until a person acts
 */
public record ClosedGate(
        GateLabel gate,
        String actual,
        String required,
        String message,
        @Nullable Instant opensAt,
        boolean needsPerson) {
    /** The gates that always need a person. */
    private static final List<GateLabel> OPENED_BY_PERSONS = List.of(
            GateLabel.NO_POLICY,
            GateLabel.REJECTED_INPUT,
            GateLabel.FREEZE,
            GateLabel.CLOCK_SKEW,
            GateLabel.SITE_SILENT,
            GateLabel.SITE_UNREACHABLE,
            GateLabel.MASS_REMOVAL,
            GateLabel.FAILURE_COHORT);

    /** A gate that opens by itself at a time, if its label does not need a person. */
    public ClosedGate(GateLabel gate, String actual, String required, String message, @Nullable Instant opensAt) {
        this(gate, actual, required, message, opensAt, OPENED_BY_PERSONS.contains(gate));
    }

    /** A gate whose opening time is unknown. */
    public ClosedGate(GateLabel gate, String actual, String required, String message) {
        this(gate, actual, required, message, null);
    }

    /** Returns a copy that stays closed until a person acts. */
    ClosedGate forPerson() {
        return new ClosedGate(gate, actual, required, message, opensAt, true);
    }

    /** A number with its noun: "1 machine", "3 machines". */
    static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    static ClosedGate numbers(GateLabel gate, long actual, long required, String message) {
        return new ClosedGate(gate, Long.toString(actual), Long.toString(required), message);
    }
}
