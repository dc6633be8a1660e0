package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/** Whether a Cluster, as it is now, may have its machines upgraded. */
public final class ClusterPreconditions {
    private ClusterPreconditions() {}

    /** Why it must not; null where nothing speaks against it. */
    public static @Nullable String findProblem(KubeObject cluster) {
        return cluster.bool("spec", "paused")
                ? "the cluster is paused"
                : WorkerAnnotationKeys.findHold(cluster, "the cluster");
    }
}
