package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Node tokens, out of each cluster's Secret. Kept briefly: it is written anew where a token was lost. */
public final class NodeTokenReader {
    private static final String KEY = "node-token-";

    /** An upgrade and the next machine of its cluster share a read. */
    private static final long KEPT_NANOS = 300_000_000_000L;

    private static final int MOST_KEPT = 500;
    private static final int DELETE = 0x7f;

    private final KubeApiClient api;
    private final ExpiringCache<ClusterKey, KubeResponse.SuccessResponse> cachedToken;

    public NodeTokenReader(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.cachedToken = new ExpiringCache<>(MOST_KEPT, KEPT_NANOS, ticks);
    }

    /** What is known of a token. */
    public sealed interface NodeTokenResult {

        /** Here it is. */
        record TokenFound(NodeToken token) implements NodeTokenResult {}

        /** Nobody can say. */
        record TokenUnavailable(String reason) implements NodeTokenResult {}
    }

    /** A machine's token. */
    public NodeTokenResult readToken(ClusterKey cluster, MachineKey machine) {
        KubeResponse read = cachedToken.get(cluster);
        if (read == null) {
            read = ClusterSecretReader.readSecret(api, cluster, "-token");
        }
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return new NodeTokenResult.TokenUnavailable(
                    "Secret " + cluster.name() + "-token cannot be read: " + read.problem());
        }
        String token = ClusterSecretReader.value(successResponse.object(), KEY + machine.name());
        if (token == null || token.isBlank()) {
            cachedToken.remove(cluster);
            return new NodeTokenResult.TokenUnavailable(
                    "Secret " + cluster.name() + "-token has no " + KEY + machine.name());
        }
        if (!token.strip().chars().allMatch(each -> each > ' ' && each < DELETE)) {
            return new NodeTokenResult.TokenUnavailable(
                    "Secret " + cluster.name() + "-token has a " + KEY + machine.name() + " that is no token");
        }
        cachedToken.put(cluster, successResponse);
        return new NodeTokenResult.TokenFound(new NodeToken(token.strip()));
    }

    /** A machine's token, if it was read shortly before; else null. */
    public @Nullable NodeToken cachedToken(ClusterKey cluster, MachineKey machine) {
        KubeResponse.SuccessResponse read = cachedToken.get(cluster);
        String token = read == null ? null : ClusterSecretReader.value(read.object(), KEY + machine.name());
        if (read == null || token == null || token.isBlank()) {
            return null;
        }
        cachedToken.put(cluster, read);
        return new NodeToken(token.strip());
    }

    /** A node did not take its token: the next look reads the Secret anew. */
    public void invalidateTokens(ClusterKey cluster) {
        cachedToken.remove(cluster);
    }
}
