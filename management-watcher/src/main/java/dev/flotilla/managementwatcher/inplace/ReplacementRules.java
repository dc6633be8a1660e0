package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.OwnerRolloutSettings;
import org.jspecify.annotations.Nullable;

/** Why Cluster API replaces machines of an owner after a change of its version, although an extension covers the change. */
final class ReplacementRules {
    private ReplacementRules() {}

    /** Whether Cluster API asks extensions about the members of a kind of control plane. */
    static boolean isUpdatedInPlace(@Nullable String controlPlaneKind) {
        return OwnerRolloutSettings.KUBEADM_CONTROL_PLANE.equals(controlPlaneKind);
    }

    /** Returns the problem of a Cluster, whose version its control plane gets; null for none. */
    static @Nullable String problemOfCluster(KubeObject cluster) {
        String kind = cluster.text("spec", "controlPlaneRef", "kind");
        return kind == null || isUpdatedInPlace(kind)
                ? null
                : "its control plane is a " + kind + ", which replaces its machines after a change of the version"
                        + " (an UpgradeTask upgrades them in place, or for Canonical Kubernetes the annotation)";
    }

    /** Returns the problem of a KubeadmControlPlane; null for none. */
    static @Nullable String problemOfControlPlane(KubeObject controlPlane) {
        OwnerRolloutSettings rollout = new OwnerRolloutSettings(controlPlane);
        Long replicas = rollout.replicas();
        long members = replicas == null ? 1 : replicas;
        if (members < OwnerRolloutSettings.MIN_MEMBERS) {
            return "it has " + members + " replica" + (members == 1 ? "" : "s")
                    + ", and Cluster API keeps the members of three or more only";
        }
        return rollout.hasAfter() ? "it has rollout.after, which replaces its machines" : problemOfSurge(rollout);
    }

    /** Returns the problem of a MachineDeployment; null for none. */
    static @Nullable String problemOfDeployment(KubeObject deployment) {
        OwnerRolloutSettings rollout = new OwnerRolloutSettings(deployment);
        if (rollout.isOnDelete()) {
            return "its strategy is OnDelete, with which Cluster API updates no machine";
        }
        String bootstrap = deployment.text("spec", "template", "spec", "bootstrap", "configRef", "kind");
        if (bootstrap == null || !ExtensionRegistration.coversVersionOf(bootstrap)) {
            return "its bootstrap config is " + (bootstrap == null ? "not a reference" : "a " + bootstrap)
                    + ", which the extension does not cover";
        }
        return problemOfSurge(rollout);
    }

    private static @Nullable String problemOfSurge(OwnerRolloutSettings rollout) {
        return rollout.surges()
                ? "its maxSurge is " + rollout.maxSurge() + ", with which Cluster API creates a new machine"
                : null;
    }
}
