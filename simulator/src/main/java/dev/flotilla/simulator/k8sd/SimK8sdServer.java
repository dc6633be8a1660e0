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
 * Serves the k8sd of any number of simulated nodes on one loopback port, distinguished by the header Host. It counts
 * what it receives, so that tests can check what nodes received instead of what a caller reports.
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
        private final Map<HttpConnection, SimK8sd> answeringNodes = new ConcurrentHashMap<>();

        private final AtomicInteger requests = new AtomicInteger();

        private void answeringNodes(HttpConnection connection, SimK8sd node) {
            if (answeringNodes.put(connection, node) == null) {
                handshakes.incrementAndGet();
                connection.closeHandler(closed -> answeringNodes.remove(connection));
            }
        }
    }

    /**
     * Starts the server. Nodes handle requests on the calling event loop.
     *
     * @param key private key of the certificate, PEM
     * @param certificate that all nodes present, PEM
     * @param nodes finds a node by the value of Host
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
                counts.answeringNodes(request.connection(), node);
                startResponse(request, fullResponse.status()).end(fullResponse.body());
            }
            case SimK8sdResponse.TruncatedResponse cut ->
                sendHalf(request, cut.status(), cut.body())
                        .onComplete(sent -> request.connection().close());
            case SimK8sdResponse.EndlessResponse endlessResponse ->
                sendHalf(request, endlessResponse.status(), endlessResponse.body());
            case SimK8sdResponse.NoResponse noResponse -> {
                // The caller waits for the response.
            }
        }
    }

    /** Closes all connections to a node, as when the node goes down. Call it on the nodes' event loop only. */
    public void closeConnections(SimK8sd node) {
        counts.answeringNodes.forEach((connection, answeringNode) -> {
            if (answeringNode == node) {
                connection.close();
            }
        });
    }

    private static HttpServerResponse startResponse(HttpServerRequest request, int status) {
        return request.response().setStatusCode(status).putHeader("Content-Type", "application/json");
    }

    private static Future<Void> sendHalf(HttpServerRequest request, int status, String body) {
        Buffer whole = Buffer.buffer(body);
        return startResponse(request, status)
                .putHeader("Content-Length", Integer.toString(whole.length()))
                .write(whole.slice(0, whole.length() / 2));
    }

    public int port() {
        return server.actualPort();
    }

    /** Completed TLS handshakes. */
    public int connections() {
        return counts.connections.get();
    }

    /**
     * TLS handshakes with reachable nodes. All nodes share a port; a real unreachable node would not have completed its
     * handshake.
     */
    public int handshakes() {
        return counts.handshakes.get();
    }

    /** Requests that were received, whether or not they succeeded. */
    public int requests() {
        return counts.requests.get();
    }

    public Future<Void> stop() {
        return server.close();
    }
}
