package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import java.util.List;

/** What to do with a pod when its node is drained. */
sealed interface PodDrainAction {
    String DRAIN_LABEL = "cluster.x-k8s.io/drain";

    /** The pod stays and is not waited for. */
    record KeepPod() implements PodDrainAction {}

    /** The pod is left alone until it has finished. */
    record AwaitPodEnd() implements PodDrainAction {}

    /** The pod is evicted once all pods of a lower order are gone from the node. */
    record EvictPod(long order) implements PodDrainAction {}

    /** Returns its position among the pods to wait for. */
    default long evictionOrder() {
        return this instanceof EvictPod evictPod ? evictPod.order() : 0;
    }

    /**
     * Decides the action for a pod.
     *
     * @param rules drain rules for its machine, in their order
     */
    static PodDrainAction actionFor(KubeObject pod, List<MachineDrainRule> rules, KubeObject namespaceLabels) {
        if (isOver(pod) || isOfDaemonSet(pod) || pod.annotation("kubernetes.io/config.mirror") != null) {
            return new KeepPod();
        }
        String label = pod.label(DRAIN_LABEL);
        if ("skip".equals(label)) {
            return new KeepPod();
        }
        if ("wait-completed".equals(label)) {
            return new AwaitPodEnd();
        }
        for (MachineDrainRule rule : rules) {
            if (rule.selectsPod(pod, namespaceLabels)) {
                PodDrainAction action = rule.podAction();
                // An unknown behaviour of a later release does not allow an eviction.
                return action == null ? new AwaitPodEnd() : action;
            }
        }
        return new EvictPod(0);
    }

    private static boolean isOver(KubeObject pod) {
        String phase = pod.text("status", "phase");
        return "Succeeded".equals(phase) || "Failed".equals(phase);
    }

    private static boolean isOfDaemonSet(KubeObject pod) {
        KubeObject owner = pod.controller();
        return owner != null && "DaemonSet".equals(owner.text("kind"));
    }
}
