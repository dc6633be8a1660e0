package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a KubeadmControlPlane or MachineDeployment by which Cluster API chooses between an update in place and new machines, in v1beta2
 * and v1beta1.
 *
 * @param owner the KubeadmControlPlane or MachineDeployment
 */
public record OwnerRolloutSettings(KubeObject owner) {
    /** The kind of control plane that asks extensions. */
    public static final String KUBEADM_CONTROL_PLANE = "KubeadmControlPlane";

    /** The fewest members of a control plane that are all updated in place. */
    public static final int MIN_MEMBERS = 3;

    private static final String SPEC = "spec";
    private static final String ROLLOUT = "rollout";
    private static final String STRATEGY = "strategy";
    private static final String ROLLING_UPDATE = "rollingUpdate";

    /** Returns the replicas; null if there is no number. */
    public @Nullable Long replicas() {
        return owner.number(SPEC, "replicas");
    }

    /** Whether machines are replaced when somebody deletes them, and at no other time. */
    public boolean isOnDelete() {
        return "OnDelete".equals(owner.text(SPEC, ROLLOUT, STRATEGY, "type"))
                || "OnDelete".equals(owner.text(SPEC, STRATEGY, "type"));
    }

    /** Whether machines that were made before a time are replaced. */
    public boolean hasAfter() {
        return owner.has(SPEC, ROLLOUT, "after") || owner.has(SPEC, "rolloutAfter");
    }

    /** Returns the limits of a rolling update, such as maxSurge; empty if there are none. */
    public KubeObject rollingUpdate() {
        for (String[] path : List.of(
                new String[] {SPEC, ROLLOUT, STRATEGY, ROLLING_UPDATE},
                new String[] {SPEC, STRATEGY, ROLLING_UPDATE},
                new String[] {SPEC, "rolloutStrategy", ROLLING_UPDATE})) {
            if (owner.has(path)) {
                return owner.object(path);
            }
        }
        return KubeObject.EMPTY;
    }

    /** Returns maxSurge. Without a value Cluster API takes 1. */
    public String maxSurge() {
        return switch (rollingUpdate().valueAt("maxSurge")) {
            case JsonValue.JsonInteger number -> Long.toString(number.value());
            case JsonValue.JsonString text -> text.value();
            case null -> "1";
            default -> "invalid";
        };
    }

    /** Whether a new machine may be made first. */
    public boolean surges() {
        return !maxSurge().equals("0") && !maxSurge().equals("0%");
    }
}
