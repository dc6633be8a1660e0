package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
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
 * Simulated sites that are reached as real ones are: through Kubernetes APIs over HTTPS, and their machines' k8sd over HTTPS.
 * Watchers and workers there are none.
 */
public final class EmbeddedSites implements RunningSites, WorldExecutor {
    /** The file that says where all k8sd listen. */
    public static final String K8SD = "k8sd";

    private static final String KUBECONFIG = ".kubeconfig";

    private final Vertx vertx;
    private final EmbeddedFleet fleet;
    private final SitesHttpServer server;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable RealManagementClusters management;

    private EmbeddedSites(Vertx vertx, EmbeddedFleet fleet, InetSocketAddress listen) throws IOException {
        this.vertx = vertx;
        this.fleet = fleet;
        NodeCallsJson book = fleet.runOnEventLoop(() -> {
                    Map<MachineKey, SimNode> nodes = new LinkedHashMap<>();
                    fleet.nodes().forEach(node -> nodes.put(node.machine(), node.node()));
                    return new NodeCallsJson(fleet.ledger(), nodes, fleet.scheduler());
                })
                .await();
        this.server = new SitesHttpServer(
                listen, this, book::callsJson, () -> book.statisticsJson().build());
    }

    /** The file by which a site's management cluster is reached. */
    public static String kubeconfig(String site) {
        return site + KUBECONFIG;
    }

    /**
     * Starts them.
     *
     * @param folder gets the kubeconfigs and the address of k8sd
     * @param realManagement whether management clusters are real API servers, of the test bed
     */
    public static EmbeddedSites start(SitesSpec spec, InetSocketAddress listen, Path folder, boolean realManagement)
            throws IOException {
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        Vertx vertx = Vertx.vertx();
        EmbeddedFleet fleet = EmbeddedFleet.start(
                        vertx,
                        new SitesFleetLayout(spec).plan(),
                        k8sd.key(),
                        k8sd.certificate(),
                        authority.certificate())
                .await();
        if (!realManagement) {
            // To meet a node for the first time costs as much as to upgrade it, and is done once in its life.
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
        for (Map.Entry<String, String> each : fleet.kubeconfigs().entrySet()) {
            String access = real == null ? each.getValue() : Files.readString(real.kubeconfig(each.getKey()));
            Files.writeString(folder.resolve(kubeconfig(each.getKey())), access);
        }
        Files.writeString(folder.resolve(K8SD), "127.0.0.1:" + fleet.k8sdPort());
        sites.server.start();
        return sites;
    }

    /** What is simulated of them. */
    public EmbeddedFleet fleet() {
        return fleet;
    }

    /** The API server of a site's management cluster; only where those are real. */
    public KubeCluster management(String site) {
        if (management == null) {
            throw new IllegalStateException("the management clusters are embedded");
        }
        return management.cluster(site);
    }

    @Override
    public <T> CompletableFuture<T> execute(Supplier<T> question) {
        return fleet.runOnEventLoop(question::get).toCompletionStage().toCompletableFuture();
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
