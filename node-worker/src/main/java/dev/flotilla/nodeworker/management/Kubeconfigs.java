package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.Access;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import dev.flotilla.schemas.id.ClusterKey;

/** How workload clusters are reached, out of each one's Secret. Not kept here: who is reached keeps its connection. */
public final class Kubeconfigs {
    private final KubeApi api;

    public Kubeconfigs(KubeApi api) {
        this.api = api;
    }

    /** What is known of the way to a cluster. */
    public sealed interface Found {

        /** Here it is. */
        record Way(Access access) implements Found {}

        /** Nobody can say. */
        record None(String why) implements Found {}
    }

    /** A cluster's. */
    public Found of(ClusterKey cluster) {
        return in(cluster, read(cluster));
    }

    /** The Secret itself, for whoever has to tell apart why there is none. */
    public Reply read(ClusterKey cluster) {
        return Secrets.read(api, cluster, "-kubeconfig");
    }

    /** What a cluster's Secret says, as it was read. */
    public static Found in(ClusterKey cluster, Reply read) {
        String secret = "Secret " + cluster.name() + "-kubeconfig";
        if (!(read instanceof Reply.Done done)) {
            return new Found.None(secret + " cannot be read: " + read.problem());
        }
        String text = Secrets.value(done.object(), "value");
        if (text == null) {
            return new Found.None(secret + " has no value");
        }
        try {
            return new Found.Way(Access.of(text));
        } catch (Access.UnfitKubeconfig e) {
            return new Found.None(secret + ": " + e.getMessage());
        }
    }
}
