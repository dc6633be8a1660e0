package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decision;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Variant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Cores that let go of what they have begun when the inventory says something else about its machine. */
final class BrokenInventory {
    private BrokenInventory() {}

    static List<BrokenCore> all() {
        return List.of(core(
                        "attempt-leaves-with-its-row",
                        "a machine in flight whose inventory row is gone does not count in its cluster any more",
                        BrokenInventory::admittedNowhere)
                .caughtBy(Invariant.ORDER, Invariant.WORKERS, Invariant.ONE_AT_A_TIME, Invariant.CLUSTER_CAP));
    }

    private static BrokenCore core(String name, String what, UnaryOperator<Fact> change) {
        return new BrokenCore(name, what, Variant.REAL.with(() -> (state, input) -> changed(state, input, change)));
    }

    private static Decision changed(FleetState state, Input input, UnaryOperator<Fact> change) {
        Decision decision = FleetDecider.standard().decide(state, input);
        return decision.isNothing()
                ? decision
                : new Decision(
                        decision.seq(),
                        decision.at(),
                        decision.event(),
                        decision.subject(),
                        decision.reason(),
                        decision.facts().stream().map(change).toList());
    }

    private static Fact admittedNowhere(Fact fact) {
        Attempt attempt = fact instanceof MachineStatus status ? status.attempt() : null;
        return fact instanceof MachineStatus status && attempt != null
                ? status.with(new Attempt(
                        attempt.number(),
                        attempt.driver(),
                        attempt.target(),
                        attempt.state(),
                        attempt.since(),
                        attempt.cancelled(),
                        null))
                : fact;
    }
}
