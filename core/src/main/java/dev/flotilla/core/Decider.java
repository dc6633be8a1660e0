package dev.flotilla.core;

import dev.flotilla.core.fleet.FleetState;

/** The one function that decides. It changes nothing: the state moves only by {@link FleetState#put}. */
@FunctionalInterface
public interface Decider {
    Decision decide(FleetState state, Input input);
}
