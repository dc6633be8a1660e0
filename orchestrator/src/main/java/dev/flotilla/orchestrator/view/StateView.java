package dev.flotilla.orchestrator.view;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import java.time.Instant;

/**
 * What a question may look at, and only while it is asked.
 *
 * @param now the instant a decision would be made at
 */
public record StateView(FleetState state, GateChain gates, ReplicaRole replicaRole, Instant now) {}
