package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import java.util.Comparator;
import java.util.List;

/** A MachineDeployment's machines one after the other, in the order of their uids; no health, no lock. */
final class DeploymentController {
    private final Marks marks;

    DeploymentController(Marks marks) {
        this.marks = marks;
    }

    void reconcile(KubeObject deployment, List<KubeObject> machines) {
        String to = Marks.instructions(deployment);
        if (to == null || to.isEmpty() || deployment.isDeleting()) {
            return;
        }
        List<KubeObject> owned = machines.stream()
                .filter(machine -> deployment.name().equals(machine.label("cluster.x-k8s.io/deployment-name"))
                        && deployment.namespace().equals(machine.namespace()))
                .sorted(Comparator.comparing(KubeObject::uid))
                .toList();
        for (KubeObject machine : owned) {
            if (Marks.isUpgraded(machine, to)) {
                continue;
            }
            if (machine.isDeleting()) {
                return;
            }
            if (Marks.isFailed(machine)) {
                marks.markFailed(Place.DEPLOYMENTS, deployment);
                return;
            }
            if (!Marks.isUpgrading(machine)) {
                marks.markToUpgrade(machine, to);
                marks.markInProgress(Place.DEPLOYMENTS, deployment, to);
            }
            return;
        }
        marks.markDone(Place.DEPLOYMENTS, deployment, to);
    }
}
