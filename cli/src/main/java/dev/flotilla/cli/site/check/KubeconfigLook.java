package dev.flotilla.cli.site.check;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.schemas.id.ClusterKey;
import java.time.Instant;

/** What came of a look at a cluster's kubeconfig. Nothing that stands in one is kept but when it ends. */
sealed interface KubeconfigLook {
    ClusterKey cluster();

    /** Its certificate ends then, or has. */
    record Ends(ClusterKey cluster, Instant at) implements KubeconfigLook {}

    /** It has no certificate, and a token does not say when it ends. */
    record Endless(ClusterKey cluster) implements KubeconfigLook {}

    /** It is not there, or no worker could use it. */
    record Unfit(ClusterKey cluster, String why) implements KubeconfigLook {}

    /** Whoever asks may not read it; a worker might. */
    record Hidden(ClusterKey cluster) implements KubeconfigLook {}

    /** The API server did not say. */
    record Dark(ClusterKey cluster, String why) implements KubeconfigLook {}

    /** What follows from how its Secret was read. */
    static KubeconfigLook of(ClusterKey cluster, KubeResponse read) {
        if (read.isForbidden()) {
            return new Hidden(cluster);
        }
        if (!(read instanceof KubeResponse.SuccessResponse) && !read.isMissing()) {
            return new Dark(cluster, read.problem());
        }
        return switch (KubeconfigSecretReader.parseSecret(cluster, read)) {
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigUnavailable kubeconfigUnavailable -> new Unfit(cluster, kubeconfigUnavailable.reason());
            case KubeconfigSecretReader.KubeconfigResult.KubeconfigFound kubeconfigFound -> {
                Instant end = kubeconfigFound.connectionConfig().certificateExpiry();
                yield end == null ? new Endless(cluster) : new Ends(cluster, end);
            }
        };
    }
}
