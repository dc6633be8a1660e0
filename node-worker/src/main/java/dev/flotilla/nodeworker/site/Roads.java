package dev.flotilla.nodeworker.site;

import dev.flotilla.nodeworker.hands.Peer;
import dev.flotilla.nodeworker.hands.Transport;
import dev.flotilla.nodeworker.hands.Way;
import dev.flotilla.nodeworker.k8sd.Door;
import dev.flotilla.nodeworker.k8sd.Exchange;
import dev.flotilla.nodeworker.k8sd.NodeLine;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.k8sd.Request;
import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The roads to one node while it is upgraded: at most one line directly and one through the proxy, each kept. */
final class Roads {
    private final Crossroads site;
    private @Nullable NodeLine direct;
    private @Nullable Door directTo;
    private @Nullable ProxiedLine proxied;

    Roads(Crossroads site) {
        this.site = site;
    }

    /** Sees the certificate of a node that nobody knows, through the proxy. A failure says why not. */
    Future<Pin> meet(Peer peer) {
        Tunnels.Tunnel tunnel = new Tunnels.Tunnel() {
            @Override
            public boolean isIdle() {
                return false;
            }

            @Override
            public void hangUp() {
                throw new IllegalStateException("a first contact is never idle");
            }
        };
        if (!site.tunnels().enter(tunnel)) {
            return Future.failedFuture(site.tunnels().full());
        }
        return ProxiedLine.meet(site.vertx(), site.forwards().relay(peer.cluster(), peer.node()))
                .onComplete(met -> site.tunnels().leave(tunnel));
    }

    /**
     * Asks. What was certainly not sent one way may go the other.
     *
     * @param inTime asked right before the request is written
     */
    Future<Exchange> ask(Way.Open to, Request request, BooleanSupplier inTime) {
        if (site.transport() != Transport.AUTO) {
            return by(site.transport(), to, request, inTime);
        }
        Transport worked = site.worked().get(to.peer().cluster());
        Transport first = worked == null ? Transport.DIRECT : worked;
        return by(first, to, request, inTime).compose(exchange -> {
            if (!(exchange instanceof Exchange.NotSent not) || !inTime.getAsBoolean()) {
                return Future.succeededFuture(exchange);
            }
            Transport other = first == Transport.DIRECT ? Transport.PROXY : Transport.DIRECT;
            return by(other, to, request, inTime).map(second -> {
                if (second instanceof Exchange.NotSent neither) {
                    return new Exchange.NotSent(said(first, not) + "; " + said(other, neither));
                }
                site.worked().put(to.peer().cluster(), other);
                return second;
            });
        });
    }

    private static String said(Transport transport, Exchange.NotSent not) {
        return (transport == Transport.PROXY ? "through the proxy: " : "directly: ") + not.why();
    }

    private Future<Exchange> by(Transport transport, Way.Open to, Request request, BooleanSupplier inTime) {
        if (transport == Transport.DIRECT) {
            return direct(to.peer(), to.pin()).ask(request, to.token().reveal(), inTime);
        }
        ProxiedLine line = proxied(to.peer(), to.pin());
        return site.tunnels().enter(line)
                ? line.ask(request, to.token().reveal(), inTime)
                : Future.succeededFuture(new Exchange.NotSent(site.tunnels().full()));
    }

    private NodeLine direct(Peer peer, Pin pin) {
        SocketAddress via = site.via();
        Door door = new Door(
                peer.host(),
                peer.port(),
                via == null ? SocketAddress.inetSocketAddress(peer.port(), peer.host()) : via,
                pin);
        NodeLine open = direct;
        if (open != null && door.equals(directTo)) {
            return open;
        }
        if (open != null) {
            open.close();
        }
        NodeLine fresh = new NodeLine(site.vertx(), door);
        direct = fresh;
        directTo = door;
        return fresh;
    }

    private ProxiedLine proxied(Peer peer, Pin pin) {
        ProxiedLine open = proxied;
        if (open != null && open.leadsTo(peer, pin)) {
            return open;
        }
        closeProxied();
        ProxiedLine fresh = new ProxiedLine(
                site.vertx(), site.forwards().relay(peer.cluster(), peer.node()), peer, pin, () -> proxied = null);
        proxied = fresh;
        return fresh;
    }

    private void closeProxied() {
        ProxiedLine open = proxied;
        if (open != null) {
            proxied = null;
            site.tunnels().leave(open);
            open.close();
        }
    }

    /** Hangs up. */
    void close() {
        closeProxied();
        NodeLine open = direct;
        if (open != null) {
            direct = null;
            directTo = null;
            open.close();
        }
    }
}
