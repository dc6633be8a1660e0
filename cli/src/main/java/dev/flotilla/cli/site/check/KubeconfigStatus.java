package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.schemas.id.ClusterKey;
import java.time.Instant;

/** What came of a look at a cluster's kubeconfig. Nothing that stands in one is kept but when it ends. */
sealed interface KubeconfigStatus {
    ClusterKey cluster();

    /** Its certificate ends then, or has. */
    record Expires(ClusterKey cluster, Instant expiresAt) implements KubeconfigStatus {}

    /** It has no certificate, and a token does not say when it ends. */
    record NoExpiry(ClusterKey cluster) implements KubeconfigStatus {}

    /** It is not there, or no worker could use it. */
    record Unusable(ClusterKey cluster, String reason) implements KubeconfigStatus {}

    /** Whoever asks may not read it; a worker might. */
    record ReadForbidden(ClusterKey cluster) implements KubeconfigStatus {}

    /** The API server did not say. */
    record ApiServerUnreachable(ClusterKey cluster, String reason) implements KubeconfigStatus {}

    /** What follows from how its Secret was read. */
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
