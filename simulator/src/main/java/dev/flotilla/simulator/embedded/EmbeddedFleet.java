package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.k8sd.SimK8sdServer;
import dev.flotilla.simulator.kubernetes.KubernetesApiHttpServer;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A simulated fleet for real clients: management and workload APIs over HTTP, k8sd over HTTPS. Everything in it belongs
 * to one event loop; use {@link #runOnEventLoop} to reach it.
 */
public final class EmbeddedFleet {
    private static final long TICK_MILLIS = 10;

    private final Vertx vertx;
    private final VirtualClockScheduler scheduler;
    private final InstantSource clock;
    private final EmbeddedFleetBuilder layout;
    private final String certificate;
    private @Nullable Context loop;
    private volatile @Nullable SimK8sdServer k8sd;
    private String deployment = "";

    private EmbeddedFleet(
            Vertx vertx, EmbeddedFleetSpec plan, KubernetesApiHttpServer api, InstantSource clock, String certificate) {
        this.vertx = vertx;
        this.clock = clock;
        this.certificate = certificate;
        this.scheduler = new VirtualClockScheduler(clock.millis());
        this.layout = new EmbeddedFleetBuilder(plan, api, scheduler, scheduler::instant);
    }

    /**
     * Starts the fleet on its own event loop.
     *
     * @param key private key of the certificate, PEM
     * @param certificate that the k8sd of all nodes present, PEM
     */
    public static Future<EmbeddedFleet> start(Vertx vertx, EmbeddedFleetSpec plan, String key, String certificate) {
        return start(vertx, plan, key, certificate, null);
    }

    /**
     * Starts the fleet with the Kubernetes APIs behind TLS too, with the same certificate.
     *
     * @param authority certificate of the authority that signed it, PEM; null for APIs without TLS
     */
    public static Future<EmbeddedFleet> start(
            Vertx vertx, EmbeddedFleetSpec plan, String key, String certificate, @Nullable String authority) {
        return start(vertx, plan, key, certificate, authority, InstantSource.system());
    }

    /**
     * Starts the fleet on another clock.
     *
     * @param clock advanced by the caller; what falls due takes effect at the next access to the fleet
     */
    public static Future<EmbeddedFleet> start(
            Vertx vertx,
            EmbeddedFleetSpec plan,
            String key,
            String certificate,
            @Nullable String authority,
            InstantSource clock) {
        Verticle verticle = new Verticle(plan, key, certificate, authority, clock);
        return vertx.deployVerticle(verticle).map(verticle::started);
    }

    /** Deploys the fleet, so that its servers and timers end with the deployment. */
    private static final class Verticle extends VerticleBase {
        private final EmbeddedFleetSpec plan;
        private final String key;
        private final String certificate;
        private final @Nullable String authority;
        private final InstantSource clock;
        private @Nullable EmbeddedFleet fleet;

        Verticle(
                EmbeddedFleetSpec plan,
                String key,
                String certificate,
                @Nullable String authority,
                InstantSource clock) {
            this.clock = clock;
            this.authority = authority;
            this.plan = plan;
            this.key = key;
            this.certificate = certificate;
        }

        @Override
        public Future<?> start() {
            Future<KubernetesApiHttpServer> started = authority == null
                    ? KubernetesApiHttpServer.start(vertx, clock)
                    : KubernetesApiHttpServer.start(vertx, clock, key, certificate, authority);
            return started.compose(api -> {
                EmbeddedFleet created = new EmbeddedFleet(vertx, plan, api, clock, certificate);
                fleet = created;
                return created.begin(context, key);
            });
        }

        EmbeddedFleet started(String id) {
            EmbeddedFleet created = fleet;
            if (created == null) {
                throw new IllegalStateException("the fleet is deployed as " + id + " but has not started");
            }
            created.deployment = id;
            return created;
        }
    }

    private Future<Void> begin(Context context, String key) {
        loop = context;
        layout.createFleet();
        vertx.setPeriodic(TICK_MILLIS, tick -> advance());
        sendHeartbeats(new KubeletHeartbeatSender(
                layout.nodes(), layout.nodeObjectUpdater(), layout.heartbeatIntervalMillis(), layout.speed()));
        return SimK8sdServer.start(vertx, key, certificate, host -> {
                    advance();
                    EmbeddedNode node = layout.byAddress(host);
                    return node == null ? null : node.k8sd();
                })
                .map(server -> {
                    k8sd = server;
                    layout.nodes()
                            .forEach(node -> node.node().watch(() -> closeConnectionsIfUnreachable(server, node)));
                    layout.forwardTo(SocketAddress.inetSocketAddress(server.port(), "127.0.0.1"));
                    return server;
                })
                .mapEmpty();
    }

    private static void closeConnectionsIfUnreachable(SimK8sdServer server, EmbeddedNode node) {
        if (!node.node().isReachable()) {
            server.closeConnections(node.k8sd());
        }
    }

    private void sendHeartbeats(KubeletHeartbeatSender kubeletHeartbeatSender) {
        kubeletHeartbeatSender.sendHeartbeats();
        scheduler.after(layout.heartbeatIntervalMillis(), () -> sendHeartbeats(kubeletHeartbeatSender));
    }

    /** Runs everything that is due. */
    private void advance() {
        boolean more = true;
        while (more) {
            more = scheduler.step(clock.millis());
        }
        layout.nodeObjectUpdater().detectRecoveredNodes();
    }

    /** The kubeconfig of each site's management cluster. */
    public Map<String, String> kubeconfigs() {
        return layout.kubeconfigs();
    }

    /** The loopback port of all k8sd; the header Host selects the node by its address. */
    public int k8sdPort() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.port();
    }

    /** Completed TLS handshakes with reachable nodes. */
    public int k8sdHandshakes() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.handshakes();
    }

    /**
     * Completed TLS handshakes with all nodes, including unreachable ones, because they share a port that always
     * accepts connections.
     */
    public int k8sdConnections() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.connections();
    }

    /** The number of requests that all k8sd have received. */
    public int k8sdRequests() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.requests();
    }

    /** The scheduler of all events in the fleet. Use it on the event loop only. */
    public VirtualClockScheduler scheduler() {
        return scheduler;
    }

    /** Every refresh call. Use it on the event loop only. */
    public NodeCallLedger ledger() {
        return layout.ledger();
    }

    public List<EmbeddedCluster> clusters() {
        return layout.clusters();
    }

    public List<EmbeddedNode> nodes() {
        return layout.nodes();
    }

    public @Nullable EmbeddedNode node(MachineKey machine) {
        return layout.byMachine(machine);
    }

    /** Pins the certificate of all nodes, as if workers had contacted them before. Call it on the event loop only. */
    public void pinAllCertificates() {
        layout.clusters().forEach(cluster -> PrePinnedCertificates.pinCertificate(cluster, certificate));
    }

    /** Runs an action on the event loop, after everything that is due. */
    public <T> Future<T> runOnEventLoop(Callable<T> action) {
        Context context = loop;
        return context == null
                ? Future.failedFuture(
                        new IllegalStateException("the fleet has not started; wait for start() to complete"))
                : Future.future(promise -> context.runOnContext(go -> {
                    try {
                        advance();
                        promise.complete(action.call());
                    } catch (Exception e) {
                        promise.fail(e);
                    }
                }));
    }

    public Future<Void> stop() {
        return vertx.undeploy(deployment);
    }
}
