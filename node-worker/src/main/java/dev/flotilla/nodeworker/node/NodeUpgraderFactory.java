package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.NodeTransports;
import dev.flotilla.nodeworker.k8sd.SiteTransportContext;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.runtime.config.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Creates the node upgraders of a site: gives each part of an attempt what it needs of the site. */
public final class NodeUpgraderFactory implements NodeUpgrader.Factory {
    private final Vertx vertx;
    private final Context context;
    private final SiteClusters site;
    private final SiteTransportContext siteTransports;

    /**
     * Creates a factory.
     *
     * @param connectTo address to connect to instead of the nodes, for direct connections; null for the nodes
     *     themselves
     */
    public NodeUpgraderFactory(Vertx vertx, SiteClusters site, @Nullable HostPort connectTo) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.site = site;
        this.siteTransports = SiteTransportContext.create(
                vertx,
                site.settings.transport(),
                site.settings.maxTunnels(),
                connectTo == null ? null : SocketAddress.inetSocketAddress(connectTo.port(), connectTo.host()),
                site.portForwarder(),
                System::nanoTime);
    }

    @Override
    public NodeUpgrader createUpgrader(UpgradeAttemptParameters parameters, boolean resumed) {
        SiteUpgradeSettings settings = site.settings;
        SerialTaskExecutor tasks = new SerialTaskExecutor(vertx);
        NodeLocator nodeLocator = new NodeLocator(site.managementCluster, parameters.key(), parameters.uid());
        AttemptNodeInspector nodeInspector = new AttemptNodeInspector(
                nodeLocator, site.workloadClusters, parameters.role(), site.clock, site.loopbackAllowed);
        UpgradePreconditions upgradePreconditions = new UpgradePreconditions(
                parameters,
                settings.siteMode(),
                site.managementCluster,
                site.workloadClusters,
                site.blockedByPeers,
                site.clock,
                site.ticks);
        AttemptNodeUpgrader nodeUpgrader = new AttemptNodeUpgrader(
                context,
                tasks,
                nodeLocator,
                nodeInspector,
                new NodeCheckRunner(
                        parameters.key(), site.healthCheckRunner, site.managementApi, site.workloadClusters),
                upgradePreconditions,
                new NodePreparer(
                        parameters,
                        nodeLocator,
                        upgradePreconditions,
                        site.guardAnnotationWriter,
                        site.workloadClusters,
                        new CordonAndDrain(
                                parameters, site.managementCluster, settings.drain(), site.clock, site.ticks)),
                new K8sdProviderClient(
                        parameters.key(),
                        tasks,
                        nodeLocator,
                        new K8sdRouteResolver(
                                parameters.key(),
                                nodeInspector,
                                site.managementCluster,
                                site.pins,
                                site.tokens,
                                settings.transport(),
                                settings.k8sdPort()),
                        new NodeTransports(siteTransports)));
        if (resumed) {
            nodeUpgrader.takeOver();
        }
        return nodeUpgrader;
    }

    /** Returns how many tunnels to nodes are open. */
    public int tunnels() {
        return siteTransports.tunnels().size();
    }
}
