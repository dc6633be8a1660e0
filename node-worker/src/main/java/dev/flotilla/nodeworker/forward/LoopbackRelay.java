package dev.flotilla.nodeworker.forward;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The near end of port-forwards to one node, on the loopback: whoever connects to it is connected to the node's k8sd. Each
 * connection has a forward of its own, so that a client that connects anew after a break has one anew.
 */
public final class LoopbackRelay {
    private static final String LOOPBACK = "127.0.0.1";

    private final Vertx vertx;
    private final Supplier<Future<PodPortForward>> far;
    private @Nullable NetServer server;
    private @Nullable String problem;

    LoopbackRelay(Vertx vertx, Supplier<Future<PodPortForward>> far) {
        this.vertx = vertx;
        this.far = far;
    }

    /** Listens, and tells where. */
    public Future<SocketAddress> listen() {
        NetServer fresh =
                vertx.createNetServer(new NetServerOptions().setHost(LOOPBACK).setPort(0));
        server = fresh;
        return fresh.connectHandler(this::accept)
                .listen()
                .map(listening -> SocketAddress.inetSocketAddress(listening.actualPort(), LOOPBACK));
    }

    /** What became of the last connection; null where nothing went wrong with it. */
    public @Nullable String problem() {
        return problem;
    }

    private void accept(NetSocket near) {
        near.pause();
        boolean[] left = {false};
        near.closeHandler(closed -> left[0] = true);
        problem = "the port-forward is still being opened";
        far.get().onComplete(opened -> {
            if (opened.failed()) {
                problem = opened.cause().getMessage();
                near.close();
            } else if (left[0]) {
                opened.result().close();
            } else {
                problem = null;
                opened.result().pipeTo(near, broken -> problem = broken);
            }
        });
    }

    /** Ends, with the connections that it has. */
    public Future<Void> close() {
        NetServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.close();
    }
}
