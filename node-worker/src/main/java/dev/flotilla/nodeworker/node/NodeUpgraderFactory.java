package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.NodeTransports;
import dev.flotilla.nodeworker.k8sd.SiteTransportContext;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeCaller;
import dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeStatusReader;
import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
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
                nodeLocator,
                site.workloadClusters,
                parameters.role(),
                parameters.nodeUpgrade() == null,
                site.clock,
                site.loopbackAllowed);
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
                createProviderClient(parameters, tasks, nodeLocator, nodeInspector));
        if (resumed) {
            nodeUpgrader.takeOver();
        }
        return nodeUpgrader;
    }

    private UpgradeProviderClient createProviderClient(
            UpgradeAttemptParameters parameters,
            SerialTaskExecutor tasks,
            NodeLocator nodeLocator,
            AttemptNodeInspector nodeInspector) {
        NodeUpgradeParameters nodeUpgrade = parameters.nodeUpgrade();
        return nodeUpgrade == null
                ? createK8sdClient(parameters, tasks, nodeLocator, nodeInspector)
                : new NodeUpgradeProviderClient(
                        parameters,
                        nodeUpgrade,
                        tasks,
                        nodeLocator,
                        site.nodeUpgradeTemplates,
                        new NodeUpgradeCaller(site.managementApi),
                        new NodeUpgradeStatusReader(
                                site.managementApi,
                                parameters.key().namespace(),
                                parameters.uid(),
                                parameters.attemptId()),
                        site.clock);
    }

    private UpgradeProviderClient createK8sdClient(
            UpgradeAttemptParameters parameters,
            SerialTaskExecutor tasks,
            NodeLocator nodeLocator,
            AttemptNodeInspector nodeInspector) {
        return new K8sdProviderClient(
                parameters.key(),
                tasks,
                nodeLocator,
                new K8sdRouteResolver(
                        parameters.key(),
                        nodeInspector,
                        site.managementCluster,
                        site.pins,
                        site.tokens,
                        site.settings.transport(),
                        site.settings.k8sdPort()),
                new NodeTransports(siteTransports));
    }

    /** Returns how many tunnels to nodes are open. */
    public int tunnels() {
        return siteTransports.tunnels().size();
    }
}
