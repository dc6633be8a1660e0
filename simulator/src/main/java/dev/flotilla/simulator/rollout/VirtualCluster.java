package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;

/**
 * A cluster of a described fleet. Machines are numbered throughout the fleet, in each cluster the control plane first,
 * then the workers.
 *
 * @param first the number of its first machine
 */
public record VirtualCluster(ClusterKey key, Labels labels, int controlPlanes, int workers, int first) {
    private static final String CONTROL_PLANE = "-cp-";
    private static final String WORKER = "-w-";

    public VirtualCluster {
        if (controlPlanes < 0 || workers < 0 || controlPlanes + workers == 0) {
            throw new IllegalArgumentException("cluster " + key + " has no machines");
        }
    }

    public int size() {
        return controlPlanes + workers;
    }

    /** The role of its machine at a place, counted from 0. */
    public MachineRole role(int place) {
        return place < controlPlanes ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
    }

    /** The name of its machine at a place, counted from 0. */
    public MachineKey machine(int place) {
        String name = key.name() + (place < controlPlanes ? CONTROL_PLANE + place : WORKER + (place - controlPlanes));
        return new MachineKey(key.site(), key.namespace(), name);
    }
}
