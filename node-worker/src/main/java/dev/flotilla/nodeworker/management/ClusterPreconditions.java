package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/** Checks whether the machines of a Cluster may be upgraded now. */
public final class ClusterPreconditions {
    private ClusterPreconditions() {}

    /** Returns why not; null if nothing prevents it. */
    public static @Nullable String findProblem(KubeObject cluster) {
        return cluster.bool("spec", "paused")
                ? "the cluster is paused"
                : WorkerAnnotationKeys.findHold(cluster, "the cluster");
    }
}
