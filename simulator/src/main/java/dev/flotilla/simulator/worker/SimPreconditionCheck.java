package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.fleet.SimMachine;
import org.jspecify.annotations.Nullable;

/** The last look at the cluster itself, since the inventory is a hint. */
final class SimPreconditionCheck {
    private SimPreconditionCheck() {}

    /** Why this machine must not be called now; null where nothing speaks against it. */
    static @Nullable String problem(SimMachine machine, int maxUnavailable) {
        int away = 0;
        for (SimMachine other : machine.cluster().machines()) {
            if (other == machine || other.role() != machine.role()) {
                continue;
            }
            boolean well = other.node().isReady() && other.node().isReachable();
            if (machine.role() == MachineRole.CONTROL_PLANE
                    && (!well || other.node().isRefreshing())) {
                return "control-plane member " + other.key().name() + " is not well";
            }
            away += well ? 0 : 1;
        }
        return machine.role() == MachineRole.WORKER && away + 1 > maxUnavailable
                ? away + " other workers are away"
                : null;
    }
}
