package dev.flotilla.nodeworker.site;

import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.runtime.config.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Creates the node upgraders of a site. */
public final class NodeUpgraderFactory implements NodeUpgrader.Factory {
    private final Context context;
    private final SiteClusters siteClusters;
    private final SiteTransportContext roads;

    /**
     * @param via address to connect to instead of the nodes, for direct connections; null for the nodes themselves
     */
    public NodeUpgraderFactory(Vertx vertx, SiteClusters siteClusters, @Nullable HostPort via) {
        this.context = vertx.getOrCreateContext();
        this.siteClusters = siteClusters;
        this.roads = SiteTransportContext.of(
                vertx,
                siteClusters.settings(),
                via == null ? null : SocketAddress.inetSocketAddress(via.port(), via.host()),
                siteClusters.portForwarder(),
                System::nanoTime);
    }

    @Override
    public NodeUpgrader createUpgrader(UpgradeAttemptParameters upgradeAttemptParameters, boolean resumed) {
        return new K8sdNodeUpgrader(
                context,
                siteClusters.createNodeClient(upgradeAttemptParameters),
                upgradeAttemptParameters.key(),
                new NodeTransports(roads),
                resumed);
    }

    /** Returns how many tunnels to nodes are open. */
    public int tunnels() {
        return roads.tunnels().size();
    }
}
