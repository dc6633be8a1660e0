package dev.flotilla.simulator.run;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import java.util.function.Supplier;

/**
 * What is put into a world to be tested: the real thing, or something broken on purpose.
 *
 * @param decider makes a decider for each term of leadership
 * @param fencing whether the log fences zombies
 */
public record SystemUnderTest(
        Supplier<Decider> decider, OrchestratorSafeguards shell, WorkerSafeguards worker, boolean fencing) {
    public static final SystemUnderTest REAL =
            new SystemUnderTest(FleetDecider::standard, OrchestratorSafeguards.GOOD, WorkerSafeguards.GOOD, true);

    public SystemUnderTest with(Supplier<Decider> other) {
        return new SystemUnderTest(other, shell, worker, fencing);
    }

    public SystemUnderTest with(OrchestratorSafeguards other) {
        return new SystemUnderTest(decider, other, worker, fencing);
    }

    public SystemUnderTest with(WorkerSafeguards other) {
        return new SystemUnderTest(decider, shell, other, fencing);
    }

    public SystemUnderTest unfenced() {
        return new SystemUnderTest(decider, shell, worker, false);
    }
}
