package dev.flotilla.nodeworker.workload;

import dev.flotilla.kube.KubeObject;
import java.util.List;

/** What becomes of a pod when its node is emptied. */
sealed interface PodFate {
    String DRAIN_LABEL = "cluster.x-k8s.io/drain";

    /** It stays where it is, and nobody waits for it. */
    record Stay() implements PodFate {}

    /** It is left alone until it has finished. */
    record Finish() implements PodFate {}

    /** It is evicted, once all of a lower order are gone. */
    record Evict(long order) implements PodFate {}

    /** When it is waited for, among the others. */
    default long turn() {
        return this instanceof Evict evict ? evict.order() : 0;
    }

    /**
     * A pod's.
     *
     * @param rules for its machine, in their order
     */
    static PodFate of(KubeObject pod, List<DrainRule> rules, KubeObject namespaceLabels) {
        if (isOver(pod) || isOfDaemonSet(pod) || pod.annotation("kubernetes.io/config.mirror") != null) {
            return new Stay();
        }
        String label = pod.label(DRAIN_LABEL);
        if ("skip".equals(label)) {
            return new Stay();
        }
        if ("wait-completed".equals(label)) {
            return new Finish();
        }
        for (DrainRule rule : rules) {
            if (rule.selectsPod(pod, namespaceLabels)) {
                PodFate fate = rule.fate();
                // A behaviour of a later release is no leave to evict.
                return fate == null ? new Finish() : fate;
            }
        }
        return new Evict(0);
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
