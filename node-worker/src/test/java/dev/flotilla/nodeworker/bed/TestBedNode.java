package dev.flotilla.nodeworker.bed;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.node.SimNode;

/** A machine of the bed, whose Node has its name. */
public record TestBedNode(MachineKey machine, MachineRole role, String address, SimNode node, SimK8sd k8sd) {
    public String name() {
        return machine.name();
    }

    /** The pod that leads to its k8sd. */
    public String proxy() {
        return "k8sd-proxy-" + name();
    }
}
