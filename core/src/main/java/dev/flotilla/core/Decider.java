package dev.flotilla.core;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import java.time.Instant;

/** Makes one decision for one input. It is pure: only {@link FleetState#put} changes the state. */
@FunctionalInterface
public interface Decider {
    Decision decide(FleetState state, DecisionInput input);

    /** Updates the counts derived from the rows; each decision does that by itself. */
    default void refreshDerivedState(FleetState state, Instant now) {}
}
