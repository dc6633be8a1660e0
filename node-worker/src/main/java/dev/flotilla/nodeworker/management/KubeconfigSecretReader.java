package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;

/** How workload clusters are reached, out of each one's Secret. Not kept here: who is reached keeps its connection. */
public final class KubeconfigSecretReader {
    private final KubeApiClient api;
    private final boolean testBed;

    /**
     * Of a management cluster.
     *
     * @param testBed whether it is on this machine. Else no workload cluster is, whatever its Secret says
     */
    public KubeconfigSecretReader(KubeApiClient api, boolean testBed) {
        this.api = api;
        this.testBed = testBed;
    }

    /** What is known of the way to a cluster. */
    public sealed interface KubeconfigResult {

        /**
         * Here it is.
         *
         * @param secretVersion differs where the Secret is another one or has another content; never shown
         */
        record KubeconfigFound(KubeConnectionConfig connectionConfig, String secretVersion)
                implements KubeconfigResult {
            @Override
            public String toString() {
                return connectionConfig.toString();
            }
        }

        /** Nobody can say. */
        record KubeconfigUnavailable(String reason) implements KubeconfigResult {}
    }

    /** A cluster's. */
    public KubeconfigResult readKubeconfig(ClusterKey cluster) {
        KubeconfigResult kubeconfigResult = parseSecret(cluster, readSecret(cluster));
        String problem = kubeconfigResult instanceof KubeconfigResult.KubeconfigFound kubeconfigFound
                ? kubeconfigFound.connectionConfig().problemOfServer(testBed)
                : null;
        return problem == null
                ? kubeconfigResult
                : new KubeconfigResult.KubeconfigUnavailable(
                        "Secret " + cluster.name() + "-kubeconfig names a server that " + problem);
    }

    /** The Secret itself, for whoever has to tell apart why there is none. */
    public KubeResponse readSecret(ClusterKey cluster) {
        return ClusterSecretReader.readSecret(api, cluster, "-kubeconfig");
    }

    /** What a cluster's Secret says, as it was read. */
    public static KubeconfigResult parseSecret(ClusterKey cluster, KubeResponse read) {
        String secret = "Secret " + cluster.name() + "-kubeconfig";
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return new KubeconfigResult.KubeconfigUnavailable(secret + " cannot be read: " + read.problem());
        }
        String text = ClusterSecretReader.value(successResponse.object(), "value");
        if (text == null) {
            return new KubeconfigResult.KubeconfigUnavailable(secret + " has no value");
        }
        try {
            return new KubeconfigResult.KubeconfigFound(
                    KubeConnectionConfig.parseKubeconfig(text),
                    ClusterSecretReader.versionOf(successResponse.object(), "value"));
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            return new KubeconfigResult.KubeconfigUnavailable(secret + ": " + e.getMessage());
        }
    }
}
