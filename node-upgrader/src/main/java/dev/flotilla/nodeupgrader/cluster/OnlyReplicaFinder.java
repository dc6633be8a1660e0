package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds a pod on a node that is the only replica of a part of Flotilla, which would end with the node. Anybody may give a pod the label of
 * Flotilla's parts, so only those in Flotilla's own namespace count.
 */
final class OnlyReplicaFinder {
    /** Selects the pods of all parts of Flotilla. */
    static final String SELECTOR = "app.kubernetes.io/part-of=flotilla";

    private static final String NAME_LABEL = "app.kubernetes.io/name";

    private OnlyReplicaFinder() {}

    /** Returns the namespace and name of such a pod; null if there is none. */
    static @Nullable String find(String node, List<KubeObject> pods) {
        for (KubeObject pod : pods) {
            if (node.equals(pod.text("spec", "nodeName"))
                    && isAlive(pod)
                    && pods.stream().noneMatch(other -> replaces(other, pod, node))) {
                return pod.namespace() + "/" + pod.name();
            }
        }
        return null;
    }

    private static boolean isAlive(KubeObject pod) {
        String phase = pod.text("status", "phase");
        return !"Succeeded".equals(phase) && !"Failed".equals(phase);
    }

    private static boolean replaces(KubeObject other, KubeObject pod, String node) {
        return other.namespace().equals(pod.namespace())
                && Objects.equals(other.label(NAME_LABEL), pod.label(NAME_LABEL))
                && !node.equals(other.text("spec", "nodeName"))
                && !other.isDeleting()
                && other.isCondition("Ready", "True");
    }
}
