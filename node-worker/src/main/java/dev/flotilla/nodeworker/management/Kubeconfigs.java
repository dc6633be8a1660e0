package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;

/** How workload clusters are reached, out of each one's Secret. Not kept here: who is reached keeps its connection. */
public final class Kubeconfigs {
    private final KubeApiClient api;
    private final boolean testBed;

    /**
     * Of a management cluster.
     *
     * @param testBed whether it is on this machine. Else no workload cluster is, whatever its Secret says
     */
    public Kubeconfigs(KubeApiClient api, boolean testBed) {
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
        record Way(KubeConnectionConfig access, String edition) implements Found {
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
    public KubeResponse read(ClusterKey cluster) {
        return Secrets.read(api, cluster, "-kubeconfig");
    }

    /** What a cluster's Secret says, as it was read. */
    public static Found in(ClusterKey cluster, KubeResponse read) {
        String secret = "Secret " + cluster.name() + "-kubeconfig";
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return new Found.None(secret + " cannot be read: " + read.problem());
        }
        String text = Secrets.value(successResponse.object(), "value");
        if (text == null) {
            return new Found.None(secret + " has no value");
        }
        try {
            return new Found.Way(KubeConnectionConfig.parseKubeconfig(text), Secrets.edition(successResponse.object(), "value"));
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            return new Found.None(secret + ": " + e.getMessage());
        }
    }
}
