package dev.flotilla.simulator.run;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import java.util.function.Supplier;

/**
 * What a world tests: the real deciders and processes, or broken ones.
 *
 * @param decider creates a decider for each term of leadership
 * @param fencing whether the log fences zombies
 */
public record SystemUnderTest(
        Supplier<Decider> decider, OrchestratorSafeguards orchestrator, WorkerSafeguards worker, boolean fencing) {
    public static final SystemUnderTest REAL =
            new SystemUnderTest(FleetDecider::standard, OrchestratorSafeguards.GOOD, WorkerSafeguards.GOOD, true);

    public SystemUnderTest with(Supplier<Decider> other) {
        return new SystemUnderTest(other, orchestrator, worker, fencing);
    }

    public SystemUnderTest with(OrchestratorSafeguards other) {
        return new SystemUnderTest(decider, other, worker, fencing);
    }

    public SystemUnderTest with(WorkerSafeguards other) {
        return new SystemUnderTest(decider, orchestrator, other, fencing);
    }

    public SystemUnderTest unfenced() {
        return new SystemUnderTest(decider, orchestrator, worker, false);
    }
}
