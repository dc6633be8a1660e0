package dev.flotilla.core.gate;

/**
 * A gate that is closed, with what was compared.
 *
 * @param have what there is
 * @param need what there would have to be
 * @param says the same in words, for a person
 */
public record Closed(GateLabel gate, String have, String need, String says) {
    static Closed numbers(GateLabel gate, long have, long need, String says) {
        return new Closed(gate, Long.toString(have), Long.toString(need), says);
    }
}
