package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import java.util.List;

/** What becomes of a pod when its node is emptied. */
sealed interface PodDrainAction {
    String DRAIN_LABEL = "cluster.x-k8s.io/drain";

    /** It stays where it is, and nobody waits for it. */
    record KeepPod() implements PodDrainAction {}

    /** It is left alone until it has finished. */
    record AwaitPodEnd() implements PodDrainAction {}

    /** It is evicted, once all of a lower order are gone. */
    record EvictPod(long order) implements PodDrainAction {}

    /** When it is waited for, among the others. */
    default long evictionOrder() {
        return this instanceof EvictPod evictPod ? evictPod.order() : 0;
    }

    /**
     * A pod's.
     *
     * @param rules for its machine, in their order
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
                PodDrainAction fate = rule.podAction();
                // A behaviour of a later release is no leave to evict.
                return fate == null ? new AwaitPodEnd() : fate;
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
