package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.nodeworker.k8sd.forward.PodPortForwarder;
import dev.flotilla.schemas.id.ClusterKey;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all transports of a site share.
 *
 * @param connectTo address to connect to instead of the nodes, for direct connections; null for the nodes themselves
 * @param lastWorking the transport that last reached a cluster's nodes, so that not each node is tried where none
 *     responds
 */
public record SiteTransportContext(
        Vertx vertx,
        K8sdTransportSetting transport,
        @Nullable SocketAddress connectTo,
        PodPortForwarder forwards,
        TunnelLimiter tunnels,
        ExpiringCache<ClusterKey, K8sdTransportSetting> lastWorking) {
    private static final int MOST_CLUSTERS = 10_000;
    private static final long REMEMBERED_NANOS = 600_000_000_000L;

    public static SiteTransportContext create(
            Vertx vertx,
            K8sdTransportSetting transport,
            int maxTunnels,
            @Nullable SocketAddress connectTo,
            PodPortForwarder podPortForwarder,
            LongSupplier ticks) {
        return new SiteTransportContext(
                vertx,
                transport,
                connectTo,
                podPortForwarder,
                new TunnelLimiter(maxTunnels),
                new ExpiringCache<>(MOST_CLUSTERS, REMEMBERED_NANOS, ticks));
    }
}
