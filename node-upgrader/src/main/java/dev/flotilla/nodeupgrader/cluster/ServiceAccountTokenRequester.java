package dev.flotilla.nodeupgrader.cluster;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;

/**
 * Requests tokens of the node-upgrader's ServiceAccount in a workload cluster. A kubeconfig of Cluster API has all permissions, so it is
 * used for this request only, which impersonates a user that may make no other.
 */
final class ServiceAccountTokenRequester {
    /** The user that may only request the token. */
    static final String USER = "flotilla:node-upgrader";

    /** The ServiceAccount in the namespace of the Jobs; {@code deploy/node-upgrader/rbac-workload.yaml} has its permissions. */
    static final String SERVICE_ACCOUNT = "flotilla-node-upgrader";

    static final Duration VALIDITY = Duration.ofHours(1);

    private ServiceAccountTokenRequester() {}

    /** The result of requesting a token. */
    sealed interface TokenResult {
        /** The cluster has issued a token. */
        record TokenIssued(String token) implements TokenResult {
            @Override
            public String toString() {
                return "a token";
            }
        }

        /** The cluster has not. */
        record TokenDenied(String problem, boolean forbidden) implements TokenResult {}
    }

    static TokenResult request(KubeConnectionConfig kubeconfig, String namespace, Duration timeout) {
        String path = KubeApiPath.coreObject(namespace, "serviceaccounts", SERVICE_ACCOUNT) + "/token";
        try (KubeApiClient client = new KubeApiClient(kubeconfig.toClientConfig(USER, timeout), 1)) {
            KubeResponse response = client.createObject(
                    path,
                    new JsonObjectReader.Builder()
                            .put("apiVersion", "authentication.k8s.io/v1")
                            .put("kind", "TokenRequest")
                            .put(
                                    "spec",
                                    new JsonObjectReader.Builder()
                                            .put("expirationSeconds", VALIDITY.toSeconds())
                                            .build())
                            .build());
            String what = "a token of ServiceAccount " + namespace + "/" + SERVICE_ACCOUNT;
            if (!(response instanceof KubeResponse.SuccessResponse successResponse)) {
                // A cluster without the ServiceAccount denies the request too.
                return new TokenResult.TokenDenied(
                        what + " cannot be requested: " + response.problem(),
                        response.isForbidden() || response.isMissing());
            }
            String token = successResponse.object().text("status", "token");
            return token == null || token.isEmpty()
                    ? new TokenResult.TokenDenied(what + " was requested, and the response has none", false)
                    : new TokenResult.TokenIssued(token);
        }
    }
}
