package dev.flotilla.testkit.kube;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.k8sd.SimK8sdServer;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Simulated nodes by their addresses, behind one port. */
final class SimK8sdNodes implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, SimK8sd> nodes = new TreeMap<>();
    private final List<String> requestedHosts = new CopyOnWriteArrayList<>();
    private final SimK8sdServer server;

    SimK8sdNodes(String... addresses) throws Exception {
        for (String address : addresses) {
            nodes.put(address, k8sd(address));
        }
        KeyAndCertificate identity = CertificateAuthority.create("k8sd").issue("k8sd");
        server = SimK8sdServer.start(vertx, identity.key(), identity.certificate(), this::find)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static SimK8sd k8sd(String name) {
        VirtualClockScheduler scheduler = new VirtualClockScheduler();
        SimNode node = new SimNode(
                name,
                SnapReleases.OLDEST,
                NodeFaultProfile.withoutFaults(60_000, 0),
                scheduler,
                new Transcript(scheduler, false),
                new NodeCallLedger(),
                new SeededRandom(1),
                VirtualClockScheduler.BEGIN,
                1);
        return new SimK8sd(node, new MachineKey(new SiteId("north"), "fleet", name), TOKEN);
    }

    private SimK8sd find(String host) {
        requestedHosts.add(host);
        return nodes.get(host);
    }

    int port() {
        return server.port();
    }

    /** The value of Host in each request. */
    List<String> requestedHosts() {
        return List.copyOf(requestedHosts);
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
