package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import java.util.Comparator;
import java.util.List;

/**
 * Upgrades a MachineDeployment's machines one after the other, in the order of their uids, without health checks or a
 * lock.
 */
final class FakeMachineDeploymentController {
    private final ProviderAnnotations providerAnnotations;

    FakeMachineDeploymentController(ProviderAnnotations providerAnnotations) {
        this.providerAnnotations = providerAnnotations;
    }

    void reconcile(KubeObject deployment, List<KubeObject> machines) {
        String to = ProviderAnnotations.requestedRelease(deployment);
        if (to == null || to.isEmpty() || deployment.isDeleting()) {
            return;
        }
        List<KubeObject> owned = machines.stream()
                .filter(machine -> deployment.name().equals(machine.label("cluster.x-k8s.io/deployment-name"))
                        && deployment.namespace().equals(machine.namespace()))
                .sorted(Comparator.comparing(KubeObject::uid))
                .toList();
        for (KubeObject machine : owned) {
            if (ProviderAnnotations.isUpgraded(machine, to)) {
                continue;
            }
            if (machine.isDeleting()) {
                return;
            }
            if (ProviderAnnotations.isFailed(machine)) {
                providerAnnotations.markFailed(ControllerResource.DEPLOYMENTS, deployment);
                return;
            }
            if (!ProviderAnnotations.isUpgrading(machine)) {
                providerAnnotations.markToUpgrade(machine, to);
                providerAnnotations.markInProgress(ControllerResource.DEPLOYMENTS, deployment, to);
            }
            return;
        }
        providerAnnotations.markDone(ControllerResource.DEPLOYMENTS, deployment, to);
    }
}
