package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A NodeUpgrade: one attempt to upgrade the node of one machine.
 *
 * @param resourceVersion the version of the object that was read; a write of its status requires it
 * @param target the target's text, such as {@code version=v1.36.3}
 * @param deadline no step starts after it
 * @param abort whether the upgrade must end between two steps: it was asked to, or its object is being deleted
 * @param plan the name of the UpgradePlan
 * @param stage which steps of the plan it runs
 * @param place where it runs; null before it is held
 * @param finalizers those of the object. Ours holds a deleted one as long as something may run on the node
 */
public record NodeUpgrade(
        String namespace,
        String name,
        String resourceVersion,
        long generation,
        String clusterName,
        String machine,
        String node,
        MachineRole role,
        String target,
        long attemptId,
        Instant deadline,
        boolean abort,
        String kubeconfigSecret,
        String plan,
        UpgradeStage stage,
        @Nullable UpgradePlace place,
        List<String> finalizers,
        NodeUpgradeStatus status) {
    public static final String FINALIZER = "flotilla.dev/node-upgrade";

    private static final String VERSION = "version=";
    private static final String SPEC = "spec=";

    public NodeUpgrade {
        finalizers = List.copyOf(finalizers);
    }

    /** Whether it stays when it is deleted. */
    public boolean isHeld() {
        return finalizers.contains(FINALIZER);
    }

    /** Whether an object stays when it is deleted, also if its spec is invalid. */
    public static boolean isHeld(KubeObject object) {
        return object.texts("metadata", "finalizers").contains(FINALIZER);
    }

    /** Returns the Kubernetes version of the target; null if the target is no version. */
    public @Nullable String targetVersion() {
        return target.startsWith(VERSION) ? target.substring(VERSION.length()) : null;
    }

    /** Returns the hash of the target, such as {@code sha256:…}; null if the target is a version. */
    public @Nullable String targetSpec() {
        return target.startsWith(SPEC) ? target.substring(SPEC.length()) : null;
    }

    /** Whether it only prepares the upgrade: it changes nothing that runs. */
    public boolean onlyPrepares() {
        return stage == UpgradeStage.PREPARE;
    }

    /** Whether it runs a step of its plan. */
    public boolean runs(PlanStep step) {
        return step.roles().contains(role) && stage.includes(step);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
