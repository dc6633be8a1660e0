package dev.flotilla.nodeworker.site;

import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.forward.Relay;
import dev.flotilla.nodeworker.hands.Peer;
import dev.flotilla.nodeworker.k8sd.Door;
import dev.flotilla.nodeworker.k8sd.Encounter;
import dev.flotilla.nodeworker.k8sd.Exchange;
import dev.flotilla.nodeworker.k8sd.Line;
import dev.flotilla.nodeworker.k8sd.NodeLine;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.k8sd.Request;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A line to one node through its proxy pod: the same as a direct one, to the near end of a port-forward. */
final class ProxiedLine implements Line, Tunnels.Tunnel {
    /** The pod is looked for and its port is forwarded meanwhile. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(25);

    private final Vertx vertx;
    private final Relay relay;
    private final Peer peer;
    private final Pin pin;
    private final Runnable hungUp;
    private @Nullable Future<NodeLine> line;
    private int asking;

    /**
     * A line that is opened when it is needed.
     *
     * @param hungUp done when it is closed to make room for others
     */
    ProxiedLine(Vertx vertx, Relay relay, Peer peer, Pin pin, Runnable hungUp) {
        this.vertx = vertx;
        this.relay = relay;
        this.peer = peer;
        this.pin = pin;
        this.hungUp = hungUp;
    }

    /** Sees which certificate the node shows at the other end. */
    static Future<Pin> meet(Vertx vertx, Relay relay) {
        return relay.listen()
                .compose(near -> Encounter.at(vertx, near, HANDSHAKE))
                .recover(failure -> Future.failedFuture(why(relay, RootCauseMessage.describe(failure))))
                .eventually(relay::close);
    }

    boolean leadsTo(Peer to, Pin showing) {
        return peer.equals(to) && pin.equals(showing);
    }

    @Override
    public Future<Exchange> ask(Request request, String token, BooleanSupplier inTime) {
        asking++;
        return opened().transform(open -> open.succeeded()
                        ? open.result().ask(request, token, inTime)
                        : Future.succeededFuture(new Exchange.NotSent(RootCauseMessage.describe(open.cause()))))
                .map(this::explained)
                .onComplete(asked -> asking--);
    }

    private Future<NodeLine> opened() {
        Future<NodeLine> opened = line;
        if (opened == null) {
            opened = relay.listen()
                    .map(near -> new NodeLine(vertx, new Door(peer.host(), peer.port(), near, pin), HANDSHAKE));
            line = opened;
            opened.onFailure(notListening -> line = null);
        }
        return opened;
    }

    /** The client sees that a connection ended, and the relay knows why. */
    private Exchange explained(Exchange exchange) {
        return switch (exchange) {
            case Exchange.NotSent not -> new Exchange.NotSent(why(relay, not.why()));
            case Exchange.Broken broken -> new Exchange.Broken(why(relay, broken.why()));
            case Exchange.Untrusted other -> other;
            case Exchange.Garbled garbled -> garbled;
            case Exchange.Refusal refusal -> refusal;
            case Exchange.Success success -> success;
        };
    }

    private static String why(Relay relay, String seen) {
        String known = relay.problem();
        return known == null ? seen : known;
    }

    @Override
    public boolean isIdle() {
        return asking == 0;
    }

    @Override
    public void hangUp() {
        close();
        hungUp.run();
    }

    @Override
    public Future<Void> close() {
        Future<NodeLine> opened = line;
        return opened == null
                ? Future.succeededFuture()
                : opened.compose(NodeLine::close).eventually(relay::close);
    }
}
