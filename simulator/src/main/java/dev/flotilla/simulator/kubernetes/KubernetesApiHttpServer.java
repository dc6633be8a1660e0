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

/** The APIs of all clusters behind one port, told apart by how their addresses begin. */
public final class KubernetesApiHttpServer {
    private static final String HOST = "127.0.0.1";
    private static final String CLUSTERS = "/clusters/";
    private static final int LONGEST_FRAME = 4 * 1024 * 1024;
    private static final String DATASTORE = "/readyz/etcd";
    private static final String SICK = "internal server error: get \"etcd\": context deadline exceeded";
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
     * Starts it, without any cluster, on the event loop that this is called on.
     *
     * @param clock which its objects are dated by
     */
    public static Future<KubernetesApiHttpServer> start(Vertx vertx, InstantSource clock) {
        return start(vertx, clock, options(), null);
    }

    /**
     * The same over TLS.
     *
     * @param key of the certificate, PEM
     * @param certificate for 127.0.0.1, PEM
     * @param authority who signed it, PEM
     */
    public static Future<KubernetesApiHttpServer> start(
            Vertx vertx, InstantSource clock, String key, String certificate, String authority) {
        HttpServerOptions options = options()
                .setSsl(true)
                // As real ones do, so that clients of ours need one connection for many requests.
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
                .setMaxWebSocketFrameSize(LONGEST_FRAME)
                .setMaxWebSocketMessageSize(LONGEST_FRAME);
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

    /** Adds a cluster, which exists from now on. */
    public SimApiServer add(String name, String token) {
        String scheme = authority == null ? "http://" : "https://";
        SimApiServer cluster =
                new SimApiServer(name, token, scheme + HOST + ":" + port() + CLUSTERS + name, authority, clock);
        clusters.put(name, cluster);
        return cluster;
    }

    public @Nullable SimApiServer cluster(String name) {
        return clusters.get(name);
    }

    public Future<Void> stop() {
        return server.close().eventually(forwarder::close);
    }

    private void receive(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        int end = path.startsWith(CLUSTERS) ? path.indexOf('/', CLUSTERS.length()) : -1;
        SimApiServer cluster = end < 0 ? null : clusters.get(path.substring(CLUSTERS.length(), end));
        if (cluster == null || path.length() == end + 1) {
            say(request, ApiResponse.errorResponse(ApiError.noSuchPath()));
            return;
        }
        String below = path.substring(end);
        if (request.canUpgradeToWebSocket()) {
            answer(cluster, request, below, Buffer.buffer());
        } else {
            request.body().onSuccess(body -> answer(cluster, request, below, body));
        }
    }

    private void answer(SimApiServer cluster, HttpServerRequest request, String path, Buffer body) {
        if (cluster.reachability() == ApiReachability.RESETS) {
            request.connection().close();
            return;
        }
        if (cluster.reachability() == ApiReachability.UNAVAILABLE) {
            say(request, ApiResponse.errorResponse(ApiError.unavailable()));
            return;
        }
        if (!(BEARER + cluster.token()).equals(request.getHeader("Authorization"))) {
            cluster.requestCounter().countResponse(401);
            say(request, ApiResponse.errorResponse(ApiError.unauthorized()));
            return;
        }
        ApiRequest asked = new ApiRequest(
                request.method().name(),
                path,
                query(request),
                text(request.getHeader("Content-Type")),
                body.getBytes());
        cluster.requestCounter().countRequest(ApiRequestHandler.verb(asked));
        String user = request.getHeader("Impersonate-User");
        if (user != null) {
            cluster.requestCounter().impersonated(user);
        }
        if (path.equals(DATASTORE)) {
            ApiResponse.BodyResponse check =
                    cluster.isDatastoreHealthy() ? ApiResponse.text(200, "ok") : ApiResponse.text(500, SICK);
            cluster.requestCounter().countResponse(check.status());
            say(request, check);
            return;
        }
        switch (cluster.endpoint().handleRequest(asked)) {
            case ApiResponse.BodyResponse bodyResponse -> {
                cluster.requestCounter().countResponse(bodyResponse.status());
                say(request, bodyResponse);
            }
            case ApiResponse.WatchResponse watchResponse -> {
                cluster.requestCounter().countResponse(200);
                new WatchStream(vertx, cluster, watchResponse.watch()).open(request);
            }
            case ApiResponse.PortForwardResponse to -> {
                SocketAddress target = cluster.forwarding().resolveTarget(to.pod(), to.port());
                cluster.requestCounter().countResponse(target == null ? 500 : 200);
                if (target == null) {
                    say(
                            request,
                            ApiResponse.errorResponse(new ApiError(500, "InternalError", "error forwarding port")));
                } else if (!request.canUpgradeToWebSocket()) {
                    say(request, ApiResponse.errorResponse(ApiError.badRequest("Upgrade request required")));
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
     * One answer of a connection after the other. With many of them in the way of a long one the server's HTTP/2 forgets to send
     * some (eclipse-vertx/vert.x #6359), and whoever asked waits for as long as they are patient.
     */
    private void say(HttpServerRequest request, ApiResponse.BodyResponse bodyResponse) {
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
