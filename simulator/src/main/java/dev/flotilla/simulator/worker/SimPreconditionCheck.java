package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.fleet.SimMachine;
import org.jspecify.annotations.Nullable;

/**
 * The precondition check against the cluster itself right before the call, because the inventory may be out of date.
 */
final class SimPreconditionCheck {
    private SimPreconditionCheck() {}

    /** Why this machine must not be called now; null if it may. */
    static @Nullable String problem(SimMachine machine, int maxUnavailable) {
        int unavailable = 0;
        for (SimMachine other : machine.cluster().machines()) {
            if (other == machine || other.role() != machine.role()) {
                continue;
            }
            boolean healthy = other.node().isReady() && other.node().isReachable();
            if (machine.role() == MachineRole.CONTROL_PLANE
                    && (!healthy || other.node().isRefreshing())) {
                return "control-plane member " + other.key().name() + " is not healthy";
            }
            unavailable += healthy ? 0 : 1;
        }
        return machine.role() == MachineRole.WORKER && unavailable + 1 > maxUnavailable
                ? unavailable + " other workers are unavailable"
                : null;
    }
}
