package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdRoute;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.MachineRole;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The route resolver of one machine of a fixture. */
final class MachineRoutes {
    private final NodeLocator nodeLocator;
    private final K8sdRouteResolver routeResolver;

    private MachineRoutes(TwoClusterFixture world, UpgradeAttemptParameters parameters) {
        SiteClusters site = world.site;
        this.nodeLocator = new NodeLocator(site.managementCluster, parameters.key(), parameters.uid());
        this.routeResolver = new K8sdRouteResolver(
                parameters.key(),
                new AttemptNodeInspector(
                        nodeLocator, site.workloadClusters, parameters.role(), true, site.clock, site.loopbackAllowed),
                site.managementCluster,
                site.pins,
                site.tokens,
                SiteUpgradeSettings.DEFAULT.transport(),
                null);
    }

    static MachineRoutes ofWorker(TwoClusterFixture world) {
        return new MachineRoutes(world, TwoClusterFixture.parameters("m-1", TwoClusterFixture.UID, MachineRole.WORKER));
    }

    static MachineRoutes ofMember(TwoClusterFixture world, String machine, String uid) {
        return new MachineRoutes(world, TwoClusterFixture.parameters(machine, uid, MachineRole.CONTROL_PLANE));
    }

    K8sdRoute findRoute() throws InterruptedException {
        return nodeLocator.<K8sdRoute>withNode(routeResolver::resolveRoute, K8sdRoute.NoRoute::new);
    }

    @Nullable
    String pinCertificate(CertificatePin pin) throws InterruptedException {
        return nodeLocator.<@Nullable String>withNode(
                reference -> routeResolver.pinCertificate(reference, pin), reason -> reason);
    }

    void invalidateCredentials() {
        routeResolver.invalidateCredentials(Objects.requireNonNull(nodeLocator.cachedReference()));
    }

    boolean mayListenElsewhere() {
        return routeResolver.mayListenElsewhere();
    }
}
