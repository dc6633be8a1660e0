package dev.flotilla.nodeworker.site;

import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.runtime.config.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Where drives have their tools from. */
public final class SiteTools implements Tools.Bench {
    private final Context context;
    private final Site site;
    private final Crossroads roads;

    /**
     * Tools for the machines of a site.
     *
     * @param via where to connect to instead of the nodes, if directly; null for the nodes themselves
     */
    public SiteTools(Vertx vertx, Site site, @Nullable HostPort via) {
        this.context = vertx.getOrCreateContext();
        this.site = site;
        this.roads = Crossroads.of(
                vertx,
                site.settings(),
                via == null ? null : SocketAddress.inetSocketAddress(via.port(), via.host()),
                site.forwards(),
                System::nanoTime);
    }

    @Override
    public Tools tools(Errand errand, boolean resumed) {
        return new NodeTools(context, site.hands(errand), errand.key(), new Roads(roads), resumed);
    }

    /** How many tunnels to nodes are open. */
    public int tunnels() {
        return roads.tunnels().size();
    }
}
