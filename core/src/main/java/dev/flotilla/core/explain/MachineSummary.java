package dev.flotilla.core.explain;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a machine in one word: cheap enough for every machine of a page.
 *
 * @param state what the machine is doing, or how it ended
 * @param rolloutRef the rollout that the state belongs to; null if no rollout selects the machine
 * @param gate the first closed gate; null if the machine does not wait, or waits only for its turn
 */
public record MachineSummary(
        String state,
        @Nullable RolloutRef rolloutRef,
        @Nullable GateLabel gate) {
    static final String NOT_TARGETED = "not-targeted";
    static final String WAITING = "waiting";
    static final String ADMITTED = "admitted";
    static final String UNKNOWN = "unknown";
    static final String SKIPPED = "skipped";
    private static final List<String> IN_FLIGHT = inFlightStates();

    /** Whether the machine has an open attempt. */
    public boolean isInFlight() {
        return IN_FLIGHT.contains(state);
    }

    private static List<String> inFlightStates() {
        List<String> states = new ArrayList<>(List.of(ADMITTED));
        for (AttemptStep step : AttemptStep.values()) {
            states.add(step.label());
        }
        states.add(UNKNOWN);
        return states;
    }

    /** All possible states. */
    public static List<String> allStates() {
        List<String> states = new ArrayList<>(List.of(NOT_TARGETED, WAITING));
        states.addAll(IN_FLIGHT);
        for (MachineOutcome outcome : MachineOutcome.values()) {
            states.add(outcome.label());
        }
        return states;
    }
}
