package dev.flotilla.managementwatcher.inplace;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why Cluster API replaces machines of an owner after a change of its version, although an extension covers the change. */
final class ReplacementRules {
    private static final int MIN_MEMBERS = 3;
    private static final List<String> BOOTSTRAP_KINDS =
            List.of("KubeadmConfigTemplate", "CK8sConfigTemplate", "RKE2ConfigTemplate", "KThreesConfigTemplate");

    private ReplacementRules() {}

    /** Whether Cluster API asks extensions about the members of a kind of control plane. */
    static boolean isUpdatedInPlace(@Nullable String controlPlaneKind) {
        return "KubeadmControlPlane".equals(controlPlaneKind);
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
        Long replicas = controlPlane.number("spec", "replicas");
        long members = replicas == null ? 1 : replicas;
        if (members < MIN_MEMBERS) {
            return "it has " + members + " replica" + (members == 1 ? "" : "s")
                    + ", and Cluster API keeps the members of three or more only";
        }
        if (controlPlane.has("spec", "rollout", "after") || controlPlane.has("spec", "rolloutAfter")) {
            return "it has rollout.after, which replaces its machines";
        }
        return problemOfSurge(firstOf(
                controlPlane.valueAt("spec", "rollout", "strategy", "rollingUpdate", "maxSurge"),
                controlPlane.valueAt("spec", "rolloutStrategy", "rollingUpdate", "maxSurge")));
    }

    /** Returns the problem of a MachineDeployment; null for none. */
    static @Nullable String problemOfDeployment(KubeObject deployment) {
        String type = deployment.text("spec", "rollout", "strategy", "type");
        type = type == null ? deployment.text("spec", "strategy", "type") : type;
        if ("OnDelete".equals(type)) {
            return "its strategy is OnDelete, with which Cluster API updates no machine";
        }
        String bootstrap = deployment.text("spec", "template", "spec", "bootstrap", "configRef", "kind");
        if (bootstrap == null || !BOOTSTRAP_KINDS.contains(bootstrap)) {
            return "its bootstrap config is " + (bootstrap == null ? "not a reference" : "a " + bootstrap)
                    + ", which the extension does not cover";
        }
        return problemOfSurge(firstOf(
                deployment.valueAt("spec", "rollout", "strategy", "rollingUpdate", "maxSurge"),
                deployment.valueAt("spec", "strategy", "rollingUpdate", "maxSurge")));
    }

    private static @Nullable JsonValue firstOf(@Nullable JsonValue one, @Nullable JsonValue other) {
        return one == null ? other : one;
    }

    /** Without a value Cluster API takes 1. */
    private static @Nullable String problemOfSurge(@Nullable JsonValue surge) {
        String value = switch (surge) {
            case JsonValue.JsonInteger number -> Long.toString(number.value());
            case JsonValue.JsonString text -> text.value();
            case null -> "1";
            default -> "invalid";
        };
        return value.equals("0") || value.equals("0%")
                ? null
                : "its maxSurge is " + value + ", with which Cluster API creates a new machine";
    }
}
