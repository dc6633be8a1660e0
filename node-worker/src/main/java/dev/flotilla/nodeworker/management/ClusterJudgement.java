package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.Kube;
import org.jspecify.annotations.Nullable;

/** Whether a Cluster, as it is now, may have its machines upgraded. */
public final class ClusterJudgement {
    private ClusterJudgement() {}

    /** Why it must not; null where nothing speaks against it. */
    public static @Nullable String problem(Kube cluster) {
        return cluster.flag("spec", "paused") ? "the cluster is paused" : Wording.ofPeople(cluster, "the cluster");
    }
}
