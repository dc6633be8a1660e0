package dev.flotilla.clusterapi.report;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.hook.Hook;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.NameValidator;
import org.jspecify.annotations.Nullable;

/**
 * The object that a person has changed: a MachineDeployment, or a control plane.
 *
 * @param machine a machine of a control plane, whose owner reference names the kind; null for a MachineDeployment
 */
record ChangedOwner(String namespace, String name, @Nullable String machine) {
    private static final String DEPLOYMENT = "cluster.x-k8s.io/deployment-name";
    private static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane-name";

    /** Finds it by the labels in a request; null if there are none, or none with names of Kubernetes. */
    static @Nullable ChangedOwner find(Hook hook, KubeObject request) {
        boolean isMachineSet = hook == Hook.CAN_UPDATE_MACHINE_SET;
        KubeObject changed =
                request.object("desired", (isMachineSet ? HookObject.MACHINE_SET : HookObject.MACHINE).field());
        String name = changed.label(isMachineSet ? DEPLOYMENT : CONTROL_PLANE);
        return name == null
                        || NameValidator.problemOfLabel(changed.namespace()) != null
                        || NameValidator.problemOfSubdomain(name) != null
                        || NameValidator.problemOfSubdomain(changed.name()) != null
                ? null
                : new ChangedOwner(changed.namespace(), name, isMachineSet ? null : changed.name());
    }
}
