package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;

/** Reads the kubeconfigs of workload clusters from their Secrets. They are not cached: a connection is kept instead. */
public final class KubeconfigSecretReader {
    private final KubeApiClient api;
    private final boolean testBed;

    /**
     * @param testBed whether the management cluster is on this machine; otherwise no workload cluster may be, whatever
     *     its Secret says
     */
    public KubeconfigSecretReader(KubeApiClient api, boolean testBed) {
        this.api = api;
        this.testBed = testBed;
    }

    /** Result of reading a kubeconfig. */
    public sealed interface KubeconfigResult {

        /**
         * The kubeconfig was read.
         *
         * @param secretVersion identifies the Secret and its content; never shown
         */
        record KubeconfigFound(KubeConnectionConfig connectionConfig, String secretVersion)
                implements KubeconfigResult {
            @Override
            public String toString() {
                return connectionConfig.toString();
            }
        }

        /** The kubeconfig cannot be read. */
        record KubeconfigUnavailable(String reason) implements KubeconfigResult {}
    }

    /** Reads the kubeconfig of a cluster. */
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

    /** Reads the Secret, for callers that must know why there is none. */
    public KubeResponse readSecret(ClusterKey cluster) {
        return ClusterSecretReader.readSecret(api, cluster, "-kubeconfig");
    }

    /** Parses the Secret of a cluster. */
    public static KubeconfigResult parseSecret(ClusterKey cluster, KubeResponse read) {
        String secret = "Secret " + cluster.name() + "-kubeconfig";
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return new KubeconfigResult.KubeconfigUnavailable(secret + " cannot be read: " + read.problem());
        }
        String text = ClusterSecretReader.decodeValue(successResponse.object(), "value");
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
