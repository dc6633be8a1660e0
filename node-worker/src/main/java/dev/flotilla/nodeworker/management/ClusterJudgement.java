package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import org.jspecify.annotations.Nullable;

/** Whether a Cluster, as it is now, may have its machines upgraded. */
public final class ClusterJudgement {
    private ClusterJudgement() {}

    /** Why it must not; null where nothing speaks against it. */
    public static @Nullable String problem(KubeObject cluster) {
        return cluster.bool("spec", "paused") ? "the cluster is paused" : Wording.ofPeople(cluster, "the cluster");
    }
}
