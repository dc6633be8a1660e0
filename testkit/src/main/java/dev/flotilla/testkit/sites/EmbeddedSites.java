package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kube.KubeCluster;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulated sites with the interfaces of real ones: Kubernetes APIs over HTTPS, and k8sd on their machines over HTTPS.
 * They contain no watchers or workers.
 */
public final class EmbeddedSites implements RunningSites, WorldExecutor {
    /** The file with the address of all k8sd. */
    public static final String K8SD = "k8sd";

    private static final String KUBECONFIG = ".kubeconfig";

    private final Vertx vertx;
    private final EmbeddedFleet fleet;
    private final SitesHttpServer server;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable RealManagementClusters management;
    /** Used on the fleet's event loop only. */
    private long createdNodeUpgrades;

    private EmbeddedSites(Vertx vertx, EmbeddedFleet fleet, InetSocketAddress listen) throws IOException {
        this.vertx = vertx;
        this.fleet = fleet;
        NodeCallsJson callsJson = fleet.runOnEventLoop(() -> {
                    if (fleet.clusters().stream().anyMatch(cluster -> cluster.hasNodeUpgrades())) {
                        countNodeUpgrades();
                    }
                    Map<MachineKey, SimNode> nodes = new LinkedHashMap<>();
                    fleet.nodes().forEach(node -> nodes.put(node.machine(), node.node()));
                    return new NodeCallsJson(fleet.ledger(), nodes, fleet.scheduler());
                })
                .await();
        this.server = new SitesHttpServer(
                listen,
                this,
                callsJson::callsJson,
                () -> callsJson
                        .statisticsJson()
                        .put("upgraderObjects", upgraderObjects())
                        .build());
    }

    /** The number of NodeUpgrades that the API servers of management clusters have created. */
    private long upgraderObjects() {
        RealManagementClusters real = management;
        return real == null ? createdNodeUpgrades : real.createdNodeUpgrades();
    }

    private void countNodeUpgrades() {
        fleet.clusters().stream()
                .map(cluster -> cluster.management().store())
                .distinct()
                .forEach(store -> store.resourceStore(BuiltInResources.NODE_UPGRADES)
                        .watch(event -> createdNodeUpgrades += event.before() == null ? 1 : 0));
    }

    /** The file name of a site's kubeconfig. */
    public static String kubeconfig(String site) {
        return site + KUBECONFIG;
    }

    /**
     * Starts the sites.
     *
     * @param folder receives the kubeconfigs and the address of k8sd
     * @param realManagement whether management clusters are real API servers of the test bed
     */
    public static EmbeddedSites start(SitesSpec spec, InetSocketAddress listen, Path folder, boolean realManagement)
            throws IOException {
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        Vertx vertx = Vertx.vertx();
        EmbeddedFleet fleet = EmbeddedFleet.start(
                        vertx,
                        new SitesFleetLayout(spec).embeddedFleetSpec(),
                        k8sd.key(),
                        k8sd.certificate(),
                        authority.certificate())
                .await();
        if (!realManagement) {
            // Pinning a node's certificate costs as much as an upgrade, and happens only once in its life.
            fleet.runOnEventLoop(() -> {
                        fleet.pinAllCertificates();
                        return true;
                    })
                    .await();
        }
        EmbeddedSites sites = new EmbeddedSites(vertx, fleet, listen);
        RealManagementClusters real =
                realManagement ? RealManagementClusters.start(fleet, sites.ended::completeExceptionally) : null;
        sites.management = real;
        for (Map.Entry<String, String> entry : fleet.kubeconfigs().entrySet()) {
            String access = real == null ? entry.getValue() : Files.readString(real.kubeconfig(entry.getKey()));
            Files.writeString(folder.resolve(kubeconfig(entry.getKey())), access);
        }
        Files.writeString(folder.resolve(K8SD), "127.0.0.1:" + fleet.k8sdPort());
        sites.server.start();
        return sites;
    }

    /** The simulated part of the sites. */
    public EmbeddedFleet fleet() {
        return fleet;
    }

    /** The API server of a site's management cluster, if management clusters are real. */
    public KubeCluster management(String site) {
        if (management == null) {
            throw new IllegalStateException(
                    "management clusters are embedded, not real; start the sites with realManagement");
        }
        return management.cluster(site);
    }

    @Override
    public <T> CompletableFuture<T> execute(Supplier<T> action) {
        return fleet.runOnEventLoop(action::get).toCompletionStage().toCompletableFuture();
    }

    @Override
    public URI uri() {
        return server.uri();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void close() {
        server.close();
        if (management != null) {
            management.close();
        }
        vertx.close();
        ended.complete(null);
    }
}
