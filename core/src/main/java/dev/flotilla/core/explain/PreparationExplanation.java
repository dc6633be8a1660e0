package dev.flotilla.core.explain;

import dev.flotilla.core.gate.ClosedGate;
import java.util.List;

/**
 * How far the preparation of a machine is, and why it does not begin.
 *
 * @param closedGates all gates that hold it back now, in their order
 * @param nextStep what happens next
 */
public record PreparationExplanation(PreparationState state, List<ClosedGate> closedGates, String nextStep) {
    /** How far the preparation of a machine is. */
    public enum PreparationState {
        /** Its provider cannot prepare. */
        NOT_POSSIBLE("not-possible"),
        /** It has not begun. */
        WAITING("waiting"),
        /** Its command is out. */
        PREPARING("preparing"),
        /** What the upgrade needs is on the node. */
        PREPARED("prepared"),
        /** It failed, and is tried again or not. */
        FAILED("failed");

        private final String label;

        PreparationState(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public PreparationExplanation {
        closedGates = List.copyOf(closedGates);
    }
}
