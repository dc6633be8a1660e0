package dev.flotilla.nodeworker.site;

import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.nodeworker.hands.Site;
import dev.flotilla.nodeworker.k8sd.Door;
import dev.flotilla.nodeworker.k8sd.NodeLine;
import dev.flotilla.runtime.config.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Where drives have their tools from. */
public final class SiteTools implements Tools.Bench {
    private final Vertx vertx;
    private final Context context;
    private final Site site;
    private final @Nullable SocketAddress via;

    /**
     * Tools for the machines of a site.
     *
     * @param via where to connect to instead of the nodes; null for the nodes themselves
     */
    public SiteTools(Vertx vertx, Site site, @Nullable HostPort via) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.site = site;
        this.via = via == null ? null : SocketAddress.inetSocketAddress(via.port(), via.host());
    }

    @Override
    public Tools tools(Errand errand, boolean resumed) {
        return new NodeTools(context, site.hands(errand), this::line, resumed);
    }

    private NodeLine line(Door door) {
        return new NodeLine(vertx, via == null ? door : new Door(door.host(), door.port(), via, door.pin()));
    }
}
