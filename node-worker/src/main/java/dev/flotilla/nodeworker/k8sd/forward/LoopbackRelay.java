package dev.flotilla.nodeworker.k8sd.forward;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The local end of port-forwards to one node, on the loopback address: clients of it are connected to the node's k8sd.
 * Each connection has its own port-forward, so that a client that reconnects gets a new one.
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

    /** Starts to listen and returns the address. */
    public Future<SocketAddress> listen() {
        NetServer fresh =
                vertx.createNetServer(new NetServerOptions().setHost(LOOPBACK).setPort(0));
        server = fresh;
        return fresh.connectHandler(this::accept)
                .listen()
                .map(listening -> SocketAddress.inetSocketAddress(listening.actualPort(), LOOPBACK));
    }

    /** Returns what went wrong with the last connection; null for nothing. */
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

    /** Closes the relay and its connections. */
    public Future<Void> close() {
        NetServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.close();
    }
}
