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
 * A whole simulated fleet that real clients reach: management and workload APIs over HTTP, k8sd over HTTPS. Everything in
 * it belongs to one event loop; {@link #runOnEventLoop} is the way there.
 */
public final class EmbeddedFleet {
    private static final long TICK_MILLIS = 10;

    private final Vertx vertx;
    private final VirtualClockScheduler scheduler;
    private final InstantSource clock;
    private final EmbeddedFleetBuilder layout;
    private final KubernetesApiHttpServer api;
    private final String certificate;
    private @Nullable Context loop;
    private volatile @Nullable SimK8sdServer k8sd;
    private String deployment = "";

    private EmbeddedFleet(
            Vertx vertx, EmbeddedFleetSpec plan, KubernetesApiHttpServer api, InstantSource clock, String certificate) {
        this.vertx = vertx;
        this.api = api;
        this.clock = clock;
        this.certificate = certificate;
        this.scheduler = new VirtualClockScheduler(clock.millis());
        this.layout = new EmbeddedFleetBuilder(plan, api, scheduler, scheduler::instant);
    }

    /**
     * Starts it on an event loop of its own.
     *
     * @param key of the certificate, PEM
     * @param certificate that the k8sd of all nodes show, PEM
     */
    public static Future<EmbeddedFleet> start(Vertx vertx, EmbeddedFleetSpec plan, String key, String certificate) {
        return start(vertx, plan, key, certificate, null);
    }

    /**
     * Starts it with the Kubernetes APIs behind TLS too, with the same certificate.
     *
     * @param authority who signed it, PEM; null for APIs without TLS
     */
    public static Future<EmbeddedFleet> start(
            Vertx vertx, EmbeddedFleetSpec plan, String key, String certificate, @Nullable String authority) {
        return start(vertx, plan, key, certificate, authority, InstantSource.system());
    }

    /**
     * Starts it on another clock.
     *
     * @param clock that somebody moves on: what falls due meanwhile happens when the fleet is asked next
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

    /** Its servers and timers end with it. */
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
                EmbeddedFleet begun = new EmbeddedFleet(vertx, plan, api, clock, certificate);
                fleet = begun;
                return begun.begin(context, key);
            });
        }

        EmbeddedFleet started(String id) {
            EmbeddedFleet begun = fleet;
            if (begun == null) {
                throw new IllegalStateException("deployed as " + id + " and not started");
            }
            begun.deployment = id;
            return begun;
        }
    }

    private Future<Void> begin(Context context, String key) {
        loop = context;
        layout.createFleet();
        vertx.setPeriodic(TICK_MILLIS, tick -> advance());
        beat(new KubeletHeartbeatSender(
                layout.nodes(), layout.keeper(), layout.heartbeatIntervalMillis(), layout.speed()));
        return SimK8sdServer.start(vertx, key, certificate, host -> {
                    advance();
                    EmbeddedNode node = layout.byAddress(host);
                    return node == null ? null : node.k8sd();
                })
                .map(server -> {
                    k8sd = server;
                    layout.nodes().forEach(node -> node.node().watch(() -> hangUp(server, node)));
                    layout.forwardTo(SocketAddress.inetSocketAddress(server.port(), "127.0.0.1"));
                    return server;
                })
                .mapEmpty();
    }

    private static void hangUp(SimK8sdServer server, EmbeddedNode node) {
        if (!node.node().isReachable()) {
            server.closeConnections(node.k8sd());
        }
    }

    private void beat(KubeletHeartbeatSender kubeletHeartbeatSender) {
        kubeletHeartbeatSender.sendHeartbeats();
        scheduler.after(layout.heartbeatIntervalMillis(), () -> beat(kubeletHeartbeatSender));
    }

    /** Lets everything happen that is due. */
    private void advance() {
        boolean more = true;
        while (more) {
            more = scheduler.step(clock.millis());
        }
        layout.keeper().detectRecoveredNodes();
    }

    /** The kubeconfig of each site's management cluster. */
    public Map<String, String> kubeconfigs() {
        return layout.kubeconfigs();
    }

    /** The management and workload APIs: workload clusters are called `site.cluster`. */
    public KubernetesApiHttpServer api() {
        return api;
    }

    /** Where all k8sd are, on the loopback; the address of a node goes into Host. */
    public int k8sdPort() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.port();
    }

    /** Handshakes with nodes that were there. */
    public int k8sdHandshakes() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.handshakes();
    }

    /** Handshakes with all nodes, also with those that were away: they share a port, which is always there. */
    public int k8sdConnections() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.connections();
    }

    /** Requests that all k8sd together have received. */
    public int k8sdRequests() {
        SimK8sdServer server = k8sd;
        return server == null ? 0 : server.requests();
    }

    /** What all k8sd show, PEM. */
    public String certificate() {
        return certificate;
    }

    /** What happens in it and when, for use on the event loop alone. */
    public VirtualClockScheduler scheduler() {
        return scheduler;
    }

    /** Every call to refresh, for use on the event loop alone. */
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

    /** Pins the certificate of all nodes, as if workers had met them before. For use on the event loop alone. */
    public void pinAllCertificates() {
        layout.clusters().forEach(cluster -> PrePinnedCertificates.pinCertificate(cluster, certificate));
    }

    /** Looks at something or does something on the event loop, after everything that is due. */
    public <T> Future<T> runOnEventLoop(Callable<T> action) {
        Context context = loop;
        return context == null
                ? Future.failedFuture(new IllegalStateException("not started"))
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
