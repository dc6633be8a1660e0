package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decision;

/** A decision in words. */
final class Told {
    private Told() {}

    static String decision(Decision decision) {
        return "#" + decision.seq() + " " + decision.event().label()
                + (decision.subject() == null ? "" : " " + decision.subject())
                + (decision.reason().isEmpty() ? "" : ": " + decision.reason());
    }
}
