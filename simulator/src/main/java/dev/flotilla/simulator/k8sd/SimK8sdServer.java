package dev.flotilla.simulator.k8sd;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The k8sd of any number of simulated nodes behind one port of the loopback, told apart by the header Host. It counts what
 * it is asked, so that tests can judge by what nodes received and not by what a caller says.
 */
public final class SimK8sdServer {
    private static final int NO_SUCH_NODE = 421;

    private final HttpServer server;
    private final Counts counts;

    private SimK8sdServer(HttpServer server, Counts counts) {
        this.server = server;
        this.counts = counts;
    }

    private static final class Counts {
        private final AtomicInteger connections = new AtomicInteger();
        private final AtomicInteger handshakes = new AtomicInteger();
        /** Connections on which a node has answered. */
        private final Map<HttpConnection, SimK8sd> answered = new ConcurrentHashMap<>();

        private final AtomicInteger requests = new AtomicInteger();

        private void answered(HttpConnection connection, SimK8sd node) {
            if (answered.put(connection, node) == null) {
                handshakes.incrementAndGet();
                connection.closeHandler(closed -> answered.remove(connection));
            }
        }
    }

    /**
     * Starts it. Nodes are asked on the event loop that this is called on.
     *
     * @param key of the certificate, PEM
     * @param certificate that all nodes show, PEM
     * @param nodes finds a node by what Host says
     */
    public static Future<SimK8sdServer> start(
            Vertx vertx, String key, String certificate, Function<String, @Nullable SimK8sd> nodes) {
        HttpServerOptions options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addKeyValue(Buffer.buffer(key))
                        .addCertValue(Buffer.buffer(certificate)));
        Counts counts = new Counts();
        return vertx.createHttpServer(options)
                .connectionHandler(connection -> counts.connections.incrementAndGet())
                .requestHandler(request -> {
                    counts.requests.incrementAndGet();
                    request.body().onSuccess(body -> answer(request, body, nodes, counts));
                })
                .listen(0, "127.0.0.1")
                .map(server -> new SimK8sdServer(server, counts));
    }

    private static void answer(
            HttpServerRequest request, Buffer body, Function<String, @Nullable SimK8sd> nodes, Counts counts) {
        HostAndPort authority = request.authority();
        SimK8sd node = authority == null ? null : nodes.apply(authority.host());
        if (node == null) {
            request.response().setStatusCode(NO_SUCH_NODE).end();
            return;
        }
        String path = request.path() == null ? "" : request.path();
        SimK8sdResponse answer =
                node.handleRequest(request.method().name(), path, request.getHeader("node-token"), body.getBytes());
        switch (answer) {
            case SimK8sdResponse.ConnectionClosed connectionClosed ->
                request.connection().close();
            case SimK8sdResponse.FullResponse fullResponse -> {
                counts.answered(request.connection(), node);
                begun(request, fullResponse.status()).end(fullResponse.body());
            }
            case SimK8sdResponse.TruncatedResponse cut ->
                half(request, cut.status(), cut.body())
                        .onComplete(sent -> request.connection().close());
            case SimK8sdResponse.EndlessResponse endlessResponse ->
                half(request, endlessResponse.status(), endlessResponse.body());
            case SimK8sdResponse.NoResponse noResponse -> {
                // Whoever asked waits.
            }
        }
    }

    /** A node goes down, and with it all that hold a connection to it. For use on the event loop of the nodes alone. */
    public void hangUp(SimK8sd node) {
        counts.answered.forEach((connection, its) -> {
            if (its == node) {
                connection.close();
            }
        });
    }

    private static HttpServerResponse begun(HttpServerRequest request, int status) {
        return request.response().setStatusCode(status).putHeader("Content-Type", "application/json");
    }

    private static Future<Void> half(HttpServerRequest request, int status, String body) {
        Buffer whole = Buffer.buffer(body);
        return begun(request, status)
                .putHeader("Content-Length", Integer.toString(whole.length()))
                .write(whole.slice(0, whole.length() / 2));
    }

    public int port() {
        return server.actualPort();
    }

    /** Handshakes that came to an end. */
    public int connections() {
        return counts.connections.get();
    }

    /** Handshakes with nodes that were there: all share a port, and a real node that is away would have shaken no hand. */
    public int handshakes() {
        return counts.handshakes.get();
    }

    /** Requests that were received, whatever came of them. */
    public int requests() {
        return counts.requests.get();
    }

    public Future<Void> stop() {
        return server.close();
    }
}
