package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.Access;
import dev.flotilla.kube.KubeApi;
import dev.flotilla.kube.Reply;
import dev.flotilla.schemas.id.ClusterKey;

/** How workload clusters are reached, out of each one's Secret. Not kept here: who is reached keeps its connection. */
public final class Kubeconfigs {
    private final KubeApi api;
    private final boolean testBed;

    /**
     * Of a management cluster.
     *
     * @param testBed whether it is on this machine. Else no workload cluster is, whatever its Secret says
     */
    public Kubeconfigs(KubeApi api, boolean testBed) {
        this.api = api;
        this.testBed = testBed;
    }

    /** What is known of the way to a cluster. */
    public sealed interface Found {

        /**
         * Here it is.
         *
         * @param edition differs where the Secret is another one or has another content; never shown
         */
        record Way(Access access, String edition) implements Found {
            @Override
            public String toString() {
                return access.toString();
            }
        }

        /** Nobody can say. */
        record None(String why) implements Found {}
    }

    /** A cluster's. */
    public Found of(ClusterKey cluster) {
        Found found = in(cluster, read(cluster));
        String problem = found instanceof Found.Way way ? way.access().problemOfServer(testBed) : null;
        return problem == null
                ? found
                : new Found.None("Secret " + cluster.name() + "-kubeconfig names a server that " + problem);
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
            return new Found.Way(Access.of(text), Secrets.edition(done.object(), "value"));
        } catch (Access.UnfitKubeconfig e) {
            return new Found.None(secret + ": " + e.getMessage());
        }
    }
}
