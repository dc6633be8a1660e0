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

    /** Stands for all states of an open attempt where machines are selected by state. */
    private static final String IN_FLIGHT = "in-flight";

    private static final List<String> STATES_IN_FLIGHT = inFlightStates();

    /** Whether the machine is in a state, or in one of those that a state of {@link #selectableStates} stands for. */
    public boolean isIn(String selected) {
        return selected.equals(IN_FLIGHT) ? STATES_IN_FLIGHT.contains(state) : selected.equals(state);
    }

    /** The states by which machines may be selected: all possible ones, and {@code in-flight}. */
    public static List<String> selectableStates() {
        List<String> states = new ArrayList<>(List.of(IN_FLIGHT));
        states.addAll(allStates());
        return states.stream().distinct().toList();
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
        states.addAll(STATES_IN_FLIGHT);
        for (MachineOutcome outcome : MachineOutcome.values()) {
            states.add(outcome.label());
        }
        return states;
    }
}
