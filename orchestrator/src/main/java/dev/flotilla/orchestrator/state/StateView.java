package dev.flotilla.orchestrator.state;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import java.time.Instant;

/**
 * What a query may read, and only while it runs.
 *
 * @param now the instant that a decision made now would carry
 */
public record StateView(FleetState state, GateChain gates, ReplicaRole replicaRole, Instant now) {}
