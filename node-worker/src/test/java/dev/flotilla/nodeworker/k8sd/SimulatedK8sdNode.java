package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
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
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A simulated node behind real HTTPS, on a clock that moves only on demand. */
final class SimulatedK8sdNode implements AutoCloseable {
    static final String HOST = "10.0.0.7";
    static final String TOKEN = "0123456789abcdef0123456789abcdef";
    static final int NEW = SnapReleases.OLDEST + 100;
    static final long MINUTE = 60_000;
    static final NodeFaultProfile CALM = NodeFaultProfile.withoutFaults(5 * MINUTE, 0);

    final NodeCallLedger ledger = new NodeCallLedger();
    final SimNode node;
    final SimK8sd k8sd;
    final SimK8sdServer server;
    final CertificatePin pin;
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    private final DirectK8sdConnection line;

    SimulatedK8sdNode(NodeFaultProfile temper) throws Exception {
        this(temper, null);
    }

    /** With a line that expects another certificate than the node's. */
    SimulatedK8sdNode(NodeFaultProfile temper, @Nullable CertificatePin expected) throws Exception {
        this.node = new SimNode(
                "w-1",
                SnapReleases.OLDEST,
                temper,
                scheduler,
                new Transcript(scheduler, false),
                ledger,
                new SeededRandom(1),
                VirtualClockScheduler.BEGIN + 24 * 60 * MINUTE,
                1);
        this.k8sd = new SimK8sd(node, new MachineKey(new SiteId("north"), "fleet", "w-1"), TOKEN);
        KeyAndCertificate identity = CertificateAuthority.create("itself").issue("node");
        this.pin = pin(identity);
        this.server = done(on(() -> SimK8sdServer.start(
                vertx, identity.key(), identity.certificate(), host -> host.equals(HOST) ? k8sd : null)));
        this.line = new DirectK8sdConnection(vertx, door(expected == null ? pin : expected));
    }

    DirectK8sdConnection.ConnectionTarget door(CertificatePin expected) {
        return new DirectK8sdConnection.ConnectionTarget(
                HOST, 2380, SocketAddress.inetSocketAddress(server.port(), "127.0.0.1"), expected);
    }

    static CertificatePin pin(KeyAndCertificate identity) throws GeneralSecurityException {
        return CertificatePin.pinOf((X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(identity.certificate().getBytes(StandardCharsets.US_ASCII))));
    }

    K8sdRequestResult ask(K8sdRequest k8sdRequest) throws Exception {
        return ask(k8sdRequest, TOKEN);
    }

    K8sdRequestResult ask(K8sdRequest k8sdRequest, String token) throws Exception {
        return done(line.send(k8sdRequest, token));
    }

    K8sdRequestResult askTooLate(K8sdRequest k8sdRequest) throws Exception {
        return done(line.send(k8sdRequest, TOKEN, () -> false));
    }

    /** Lets so much of the node's time go by. */
    void pass(long millis) throws Exception {
        on(() -> {
            long end = scheduler.now() + millis;
            while (scheduler.step(end)) {
                // Each step is one event.
            }
            return end;
        });
    }

    /** Does something to the node, on the thread that owns it. */
    <T> T on(Callable<T> action) throws Exception {
        return done(Future.future(promise -> loop.runOnContext(go -> {
            try {
                promise.complete(action.call());
            } catch (Exception e) {
                promise.fail(e);
            }
        })));
    }

    static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
