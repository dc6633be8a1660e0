package dev.flotilla.simulator.leader;

import dev.flotilla.core.decision.Decision;

/** Formats a decision for the transcript. */
final class DecisionText {
    private DecisionText() {}

    static String describeDecision(Decision decision) {
        return "#" + decision.seq() + " " + decision.event().label()
                + (decision.subject() == null ? "" : " " + decision.subject())
                + (decision.reason().isEmpty() ? "" : ": " + decision.reason());
    }
}
