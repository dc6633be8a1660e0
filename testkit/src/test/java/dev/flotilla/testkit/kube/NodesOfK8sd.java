package dev.flotilla.testkit.kube;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.k8sd.K8sd;
import dev.flotilla.simulator.k8sd.K8sdServer;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import dev.flotilla.testkit.cert.Authority;
import dev.flotilla.testkit.cert.Identity;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Simulated nodes by their addresses, behind one port. */
final class NodesOfK8sd implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, K8sd> nodes = new TreeMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final K8sdServer server;

    NodesOfK8sd(String... addresses) throws Exception {
        for (String address : addresses) {
            nodes.put(address, k8sd(address));
        }
        Identity itself = Authority.create("k8sd").issue("k8sd");
        server = K8sdServer.start(vertx, itself.key(), itself.certificate(), this::find)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static K8sd k8sd(String name) {
        Scheduler scheduler = new Scheduler();
        SimNode node = new SimNode(
                name,
                Releases.OLDEST,
                NodeTemper.calm(60_000, 0),
                scheduler,
                new Story(scheduler, false),
                new Ledger(),
                new Chance(1),
                Scheduler.BEGIN,
                1);
        return new K8sd(node, new MachineKey(new SiteId("north"), "fleet", name), TOKEN);
    }

    private K8sd find(String host) {
        asked.add(host);
        return nodes.get(host);
    }

    int port() {
        return server.port();
    }

    /** What Host said, request by request. */
    List<String> asked() {
        return List.copyOf(asked);
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
