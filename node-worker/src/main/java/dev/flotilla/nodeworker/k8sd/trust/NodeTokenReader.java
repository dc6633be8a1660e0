package dev.flotilla.nodeworker.k8sd.trust;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.ClusterSecretReader;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads node tokens from each cluster's Secret. They are cached briefly, because a lost token is written again. */
public final class NodeTokenReader {
    private static final String KEY = "node-token-";

    /** The Secret is cached for this time, so that consecutive machines of a cluster share a read. */
    private static final long CACHED_NANOS = 300_000_000_000L;

    private static final int MAX_CACHED = 500;
    private static final int DELETE = 0x7f;

    private final KubeApiClient api;
    private final ExpiringCache<ClusterKey, KubeResponse.SuccessResponse> cachedSecrets;

    public NodeTokenReader(KubeApiClient api, LongSupplier ticks) {
        this.api = api;
        this.cachedSecrets = new ExpiringCache<>(MAX_CACHED, CACHED_NANOS, ticks);
    }

    /** Result of reading a token. */
    public sealed interface NodeTokenResult {

        /** The token was read. */
        record TokenFound(NodeToken token) implements NodeTokenResult {}

        /** The token cannot be read. */
        record TokenUnavailable(String reason) implements NodeTokenResult {}
    }

    /** Reads a machine's token. */
    public NodeTokenResult readToken(ClusterKey cluster, MachineKey machine) {
        KubeResponse read = cachedSecrets.get(cluster);
        if (read == null) {
            read = ClusterSecretReader.readSecret(api, cluster, "-token");
        }
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            return new NodeTokenResult.TokenUnavailable(
                    "Secret " + cluster.name() + "-token cannot be read: " + read.problem());
        }
        String token = ClusterSecretReader.decodeValue(successResponse.object(), KEY + machine.name());
        if (token == null || token.isBlank()) {
            cachedSecrets.remove(cluster);
            return new NodeTokenResult.TokenUnavailable(
                    "Secret " + cluster.name() + "-token has no " + KEY + machine.name());
        }
        if (!token.strip().chars().allMatch(each -> each > ' ' && each < DELETE)) {
            return new NodeTokenResult.TokenUnavailable("Secret " + cluster.name() + "-token has a " + KEY
                    + machine.name() + " that is not a valid header value");
        }
        cachedSecrets.put(cluster, successResponse);
        return new NodeTokenResult.TokenFound(new NodeToken(token.strip()));
    }

    /** Returns a machine's token if it is cached; else null. */
    public @Nullable NodeToken cachedToken(ClusterKey cluster, MachineKey machine) {
        KubeResponse.SuccessResponse read = cachedSecrets.get(cluster);
        String token = read == null ? null : ClusterSecretReader.decodeValue(read.object(), KEY + machine.name());
        if (read == null || token == null || token.isBlank()) {
            return null;
        }
        cachedSecrets.put(cluster, read);
        return new NodeToken(token.strip());
    }

    /** Drops the cached tokens, because a node rejected its token. */
    public void invalidateTokens(ClusterKey cluster) {
        cachedSecrets.remove(cluster);
    }
}
