package dev.flotilla.simulator.exhaustive;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.simulator.check.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The invariants of every model state. */
final class ModelInvariants {
    private final List<MachineKey> machines;
    private final int cap;

    ModelInvariants(List<MachineKey> machines, int cap) {
        this.machines = machines;
        this.cap = cap;
    }

    record BrokenInvariant(Invariant invariant, String detail) {}

    List<BrokenInvariant> violatedInvariants(ModelState world) {
        List<BrokenInvariant> broken = new ArrayList<>();
        List<MachineStatus> statuses = world.rows().all(MachineStatus.class);
        long inFlight =
                statuses.stream().filter(status -> status.attempt() != null).count();
        if (inFlight > cap) {
            broken.add(new BrokenInvariant(Invariant.CAPS, inFlight + " attempts are open, but the cap is " + cap));
        }
        long refreshing = world.nodes().stream().filter(ModelNode::busy).count();
        if (refreshing > cap) {
            broken.add(
                    new BrokenInvariant(Invariant.CAPS, refreshing + " nodes refresh at once, but the cap is " + cap));
        }
        for (int i = 0; i < machines.size(); i++) {
            ModelNode node = world.nodes().get(i);
            if (node.calledAgain()) {
                broken.add(new BrokenInvariant(
                        Invariant.ONE_CALL,
                        machines.get(i) + " was called again by the same attempt: " + node.calls()));
            }
        }
        TreeSet<Long> numbers = new TreeSet<>();
        for (MachineStatus status : statuses) {
            if (status.attempt() != null && !numbers.add(status.attempt().id())) {
                broken.add(new BrokenInvariant(
                        Invariant.NUMBERS,
                        "two attempts have number " + status.attempt().id()));
            }
            for (RolloutEntry entry : status.entries()) {
                boolean atTarget =
                        world.nodes().get(machines.indexOf(status.key())).atTarget();
                if (entry.outcome().isAtTarget() && !atTarget) {
                    broken.add(new BrokenInvariant(
                            Invariant.PROOF, status.key() + " succeeded, but its node is not at the target"));
                }
            }
        }
        return broken;
    }

    /** Whether every machine is at its target and its status shows that. */
    boolean isFinished(ModelState world) {
        return world.rows().all(MachineStatus.class).stream()
                        .filter(status -> status.entries().stream()
                                .anyMatch(entry -> entry.outcome() == MachineOutcome.SUCCEEDED
                                        || entry.outcome() == MachineOutcome.UNCHANGED))
                        .count()
                == machines.size();
    }
}
