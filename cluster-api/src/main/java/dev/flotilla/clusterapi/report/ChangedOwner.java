package dev.flotilla.clusterapi.report;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * The object that a person has changed: a MachineDeployment, or a control plane.
 *
 * @param machine a machine of a control plane, whose owner reference names the kind; null for a MachineDeployment
 */
record ChangedOwner(String namespace, String name, @Nullable String machine) {
    private static final String DEPLOYMENT = "cluster.x-k8s.io/deployment-name";
    private static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane-name";

    /** Finds it by the labels in a request; null if there are none. */
    static @Nullable ChangedOwner find(Hook hook, KubeObject request) {
        if (hook == Hook.CAN_UPDATE_MACHINE_SET) {
            KubeObject machineSet = request.object("desired", HookObject.MACHINE_SET.field());
            String name = machineSet.label(DEPLOYMENT);
            return name == null ? null : new ChangedOwner(machineSet.namespace(), name, null);
        }
        KubeObject machine = request.object("desired", HookObject.MACHINE.field());
        String name = machine.label(CONTROL_PLANE);
        return name == null ? null : new ChangedOwner(machine.namespace(), name, machine.name());
    }
}
