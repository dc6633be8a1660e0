package dev.flotilla.nodeworker.site;

import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.nodeworker.forward.Forwards;
import dev.flotilla.nodeworker.hands.SiteSettings;
import dev.flotilla.nodeworker.hands.Transport;
import dev.flotilla.schemas.id.ClusterKey;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all roads of a site share.
 *
 * @param via where to connect to instead of the nodes, if directly; null for the nodes themselves
 * @param worked which way led to a cluster's nodes last, so that not each of them is looked for where none answers
 */
record Crossroads(
        Vertx vertx,
        Transport transport,
        @Nullable SocketAddress via,
        Forwards forwards,
        Tunnels tunnels,
        ExpiringCache<ClusterKey, Transport> worked) {
    private static final int MOST_CLUSTERS = 10_000;
    private static final long REMEMBERED_NANOS = 600_000_000_000L;

    static Crossroads of(
            Vertx vertx, SiteSettings settings, @Nullable SocketAddress via, Forwards forwards, LongSupplier ticks) {
        return new Crossroads(
                vertx,
                settings.transport(),
                via,
                forwards,
                new Tunnels(settings.tunnels()),
                new ExpiringCache<>(MOST_CLUSTERS, REMEMBERED_NANOS, ticks));
    }
}
