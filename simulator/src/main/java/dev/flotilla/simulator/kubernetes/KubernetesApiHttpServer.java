package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.request.ApiRequest;
import dev.flotilla.simulator.kubernetes.request.ApiRequestHandler;
import dev.flotilla.simulator.kubernetes.request.ApiResponse;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves the APIs of all clusters on one port, distinguished by the beginning of the path. */
public final class KubernetesApiHttpServer {
    private static final String HOST = "127.0.0.1";
    private static final String CLUSTERS = "/clusters/";
    private static final int MAX_FRAME_BYTES = 4 * 1024 * 1024;
    private static final String DATASTORE = "/readyz/etcd";
    private static final String UNHEALTHY_RESPONSE = "internal server error: get \"etcd\": context deadline exceeded";
    private static final String BEARER = "Bearer ";

    private final Vertx vertx;
    private final HttpServer server;
    private final InstantSource clock;
    private final NetClient forwarder;
    private final @Nullable String authority;
    private final Map<String, SimApiServer> clusters = new LinkedHashMap<>();
    private final Map<HttpConnection, Future<Void>> sending = new HashMap<>();

    private KubernetesApiHttpServer(Vertx vertx, HttpServer server, InstantSource clock, @Nullable String authority) {
        this.authority = authority;
        this.vertx = vertx;
        this.server = server;
        this.clock = clock;
        this.forwarder = vertx.createNetClient();
    }

    /**
     * Starts the server without any cluster, on the calling event loop.
     *
     * @param clock for the timestamps of its objects
     */
    public static Future<KubernetesApiHttpServer> start(Vertx vertx, InstantSource clock) {
        return start(vertx, clock, options(), null);
    }

    /**
     * Starts the server with TLS.
     *
     * @param key private key of the certificate, PEM
     * @param certificate for 127.0.0.1, PEM
     * @param authority certificate of the authority that signed it, PEM
     */
    public static Future<KubernetesApiHttpServer> start(
            Vertx vertx, InstantSource clock, String key, String certificate, String authority) {
        HttpServerOptions options = options()
                .setSsl(true)
                // Like real API servers, so that a client needs one connection for many requests.
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addKeyValue(Buffer.buffer(key))
                        .addCertValue(Buffer.buffer(certificate)));
        return start(vertx, clock, options, authority);
    }

    private static HttpServerOptions options() {
        return new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .addWebSocketSubProtocol(PortForwardStream.PROTOCOL)
                .setMaxWebSocketFrameSize(MAX_FRAME_BYTES)
                .setMaxWebSocketMessageSize(MAX_FRAME_BYTES);
    }

    private static Future<KubernetesApiHttpServer> start(
            Vertx vertx, InstantSource clock, HttpServerOptions options, @Nullable String authority) {
        HttpServer server = vertx.createHttpServer(options);
        KubernetesApiHttpServer api = new KubernetesApiHttpServer(vertx, server, clock, authority);
        return server.requestHandler(api::receive).listen(0, HOST).map(listening -> api);
    }

    public int port() {
        return server.actualPort();
    }

    /** Adds a cluster. */
    public SimApiServer add(String name, String token) {
        String scheme = authority == null ? "http://" : "https://";
        SimApiServer cluster =
                new SimApiServer(name, token, scheme + HOST + ":" + port() + CLUSTERS + name, authority, clock);
        clusters.put(name, cluster);
        return cluster;
    }

    private void receive(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        int end = path.startsWith(CLUSTERS) ? path.indexOf('/', CLUSTERS.length()) : -1;
        SimApiServer cluster = end < 0 ? null : clusters.get(path.substring(CLUSTERS.length(), end));
        if (cluster == null || path.length() == end + 1) {
            sendResponse(request, ApiResponse.errorResponse(ApiError.noSuchPath()));
            return;
        }
        String below = path.substring(end);
        if (request.canUpgradeToWebSocket()) {
            handleRequest(cluster, request, below, Buffer.buffer());
        } else {
            request.body().onSuccess(body -> handleRequest(cluster, request, below, body));
        }
    }

    private void handleRequest(SimApiServer cluster, HttpServerRequest request, String path, Buffer body) {
        if (cluster.reachability() == ApiReachability.RESETS) {
            request.connection().close();
            return;
        }
        if (cluster.reachability() == ApiReachability.UNAVAILABLE) {
            sendResponse(request, ApiResponse.errorResponse(ApiError.unavailable()));
            return;
        }
        if (!(BEARER + cluster.token()).equals(request.getHeader("Authorization"))) {
            cluster.requestCounter().countResponse(401);
            sendResponse(request, ApiResponse.errorResponse(ApiError.unauthorized()));
            return;
        }
        ApiRequest apiRequest = new ApiRequest(
                request.method().name(),
                path,
                query(request),
                text(request.getHeader("Content-Type")),
                body.getBytes());
        cluster.requestCounter().countRequest(ApiRequestHandler.verb(apiRequest));
        if (path.equals(DATASTORE)) {
            ApiResponse.BodyResponse check = cluster.isDatastoreHealthy()
                    ? ApiResponse.text(200, "ok")
                    : ApiResponse.text(500, UNHEALTHY_RESPONSE);
            cluster.requestCounter().countResponse(check.status());
            sendResponse(request, check);
            return;
        }
        switch (cluster.endpoint().handleRequest(apiRequest)) {
            case ApiResponse.BodyResponse bodyResponse -> {
                cluster.requestCounter().countResponse(bodyResponse.status());
                sendResponse(request, bodyResponse);
            }
            case ApiResponse.WatchResponse watchResponse -> {
                cluster.requestCounter().countResponse(200);
                new WatchStream(vertx, cluster, watchResponse.watch()).open(request);
            }
            case ApiResponse.PortForwardResponse to -> {
                SocketAddress target = cluster.forwarding().resolveTarget(to.pod(), to.port());
                cluster.requestCounter().countResponse(target == null ? 500 : 200);
                if (target == null) {
                    sendResponse(
                            request,
                            ApiResponse.errorResponse(new ApiError(500, "InternalError", "error forwarding port")));
                } else if (!request.canUpgradeToWebSocket()) {
                    sendResponse(request, ApiResponse.errorResponse(ApiError.badRequest("Upgrade request required")));
                } else {
                    new PortForwardStream(forwarder, cluster).open(request, target, to.port());
                }
            }
        }
    }

    private static Map<String, String> query(HttpServerRequest request) {
        Map<String, String> query = new HashMap<>();
        request.params().forEach(entry -> query.put(entry.getKey(), entry.getValue()));
        return query;
    }

    private static String text(@Nullable String header) {
        return header == null ? "" : header;
    }

    /**
     * Sends a response after the previous one on the connection. With many responses behind a long one, Vert.x's HTTP/2
     * server sometimes does not send them (eclipse-vertx/vert.x #6359), and the caller waits until its timeout.
     */
    private void sendResponse(HttpServerRequest request, ApiResponse.BodyResponse bodyResponse) {
        HttpConnection connection = request.connection();
        Future<Void> sent = sending.getOrDefault(connection, Future.succeededFuture())
                .transform(before -> request.response()
                        .setStatusCode(bodyResponse.status())
                        .putHeader("Content-Type", bodyResponse.contentType())
                        .end(Buffer.buffer(bodyResponse.body())));
        sending.put(connection, sent);
        sent.onComplete(done -> sending.remove(connection, sent));
    }
}
