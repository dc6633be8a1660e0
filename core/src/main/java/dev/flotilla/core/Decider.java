package dev.flotilla.core;

import dev.flotilla.core.fleet.FleetState;
import java.time.Instant;

/** The one function that decides. It changes nothing: the state moves only by {@link FleetState#put}. */
@FunctionalInterface
public interface Decider {
    Decision decide(FleetState state, DecisionInput input);

    /** Brings the counts that follow from the rows up to date; a decision does that by itself. */
    default void refreshDerivedState(FleetState state, Instant now) {}
}
