package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.schemas.id.ClusterKey;
import java.time.Instant;

/** Status of a cluster's kubeconfig. Keeps nothing of its content except the expiry. */
sealed interface KubeconfigStatus {
    ClusterKey cluster();

    /** The certificate expires, or has expired, at this time. */
    record Expires(ClusterKey cluster, Instant expiresAt) implements KubeconfigStatus {}

    /** It has no certificate; a token does not show its expiry. */
    record NoExpiry(ClusterKey cluster) implements KubeconfigStatus {}

    /** It does not exist or no worker could use it. */
    record Unusable(ClusterKey cluster, String reason) implements KubeconfigStatus {}

    /** The caller may not read it; a worker may be able to. */
    record ReadForbidden(ClusterKey cluster) implements KubeconfigStatus {}

    /** The API server did not answer. */
    record ApiServerUnreachable(ClusterKey cluster, String reason) implements KubeconfigStatus {}

    /** Makes the status from the response to reading its Secret. */
    static KubeconfigStatus readStatus(ClusterKey cluster, KubeResponse read) {
        if (read.isForbidden()) {
            return new ReadForbidden(cluster);
        }
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new ApiServerUnreachable(cluster, read.problem());
        }
        return switch (KubeconfigSecretReader.parseSecret(cluster, read)) {
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigUnavailable kubeconfigUnavailable ->
                new Unusable(cluster, kubeconfigUnavailable.reason());
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigFound kubeconfigFound -> {
                Instant end = kubeconfigFound.connectionConfig().certificateExpiry();
                yield end == null ? new NoExpiry(cluster) : new Expires(cluster, end);
            }
        };
    }
}
