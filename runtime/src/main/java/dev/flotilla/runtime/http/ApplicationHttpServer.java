package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.runtime.log.LogKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of an application. One event loop serves all connections, so handlers must not compute or block. */
public final class ApplicationHttpServer {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationHttpServer.class);

    private final Vertx vertx;
    private final HttpServerConfig config;
    private final AtomicReference<ServerCredentials> credentials;
    private final HttpServer server;
    private final @Nullable Long reloadTimer;

    private ApplicationHttpServer(
            Vertx vertx, HttpServerConfig config, AtomicReference<ServerCredentials> credentials, HttpServer server) {
        this.vertx = vertx;
        this.config = config;
        this.credentials = credentials;
        this.server = server;
        this.reloadTimer = ServerCredentials.isReloadable(config)
                ? vertx.setPeriodic(HttpLimits.RELOAD_INTERVAL.toMillis(), id -> reloadCredentials())
                : null;
    }

    /**
     * Starts the server.
     *
     * @param routes adds the application's routes; they get authenticated GET and HEAD requests only
     */
    public static Future<ApplicationHttpServer> start(
            Vertx vertx,
            HttpServerConfig config,
            HealthAndMetricsRoutes healthAndMetricsRoutes,
            Consumer<Router> routes) {
        return start(vertx, config, healthAndMetricsRoutes, routes, path -> false);
    }

    /**
     * Starts the server.
     *
     * @param routes adds the application's routes
     * @param open paths that need no authentication, such as the page on which a user enters the token; they must not contain
     *     anything confidential
     */
    public static Future<ApplicationHttpServer> start(
            Vertx vertx,
            HttpServerConfig config,
            HealthAndMetricsRoutes healthAndMetricsRoutes,
            Consumer<Router> routes,
            Predicate<String> open) {
        return start(vertx, config, healthAndMetricsRoutes, routes, open, null);
    }

    /**
     * Starts a server with paths that are posted to. Where clients have certificates, the callers of these paths must have one too;
     * otherwise they need none, and no token.
     */
    public static Future<ApplicationHttpServer> start(
            Vertx vertx,
            HttpServerConfig config,
            HealthAndMetricsRoutes healthAndMetricsRoutes,
            PostEndpoint postEndpoint) {
        return start(vertx, config, healthAndMetricsRoutes, routes -> {}, path -> false, postEndpoint);
    }

    private static Future<ApplicationHttpServer> start(
            Vertx vertx,
            HttpServerConfig config,
            HealthAndMetricsRoutes healthAndMetricsRoutes,
            Consumer<Router> routes,
            Predicate<String> open,
            @Nullable PostEndpoint postEndpoint) {
        return vertx.executeBlocking(() -> ServerCredentials.read(config))
                .map(Objects::requireNonNull)
                .compose(read -> {
                    AtomicReference<ServerCredentials> credentials = new AtomicReference<>(read);
                    ConnectionLimiter connectionLimiter = new ConnectionLimiter(vertx, HttpLimits.MAX_CONNECTIONS);
                    Router router =
                            router(vertx, config, credentials, connectionLimiter, healthAndMetricsRoutes, routes, open);
                    return vertx.createHttpServer(options(config))
                            .connectionHandler(connectionLimiter)
                            .invalidRequestHandler(ErrorResponseHandler::rejectUnreadable)
                            .requestHandler(request -> {
                                connectionLimiter.onRequest(request.connection());
                                if (postEndpoint != null && postEndpoint.isFor(request)) {
                                    handlePost(vertx, config, connectionLimiter, postEndpoint, request);
                                } else {
                                    router.handle(request);
                                }
                            })
                            .listen(config.listen().port(), config.listen().host())
                            .map(server -> new ApplicationHttpServer(vertx, config, credentials, server));
                });
    }

    private static void handlePost(
            Vertx vertx,
            HttpServerConfig config,
            ConnectionLimiter connectionLimiter,
            PostEndpoint postEndpoint,
            HttpServerRequest request) {
        ServerTlsConfig tls = config.tls();
        SecurityHeaders.put(request.response(), tls != null);
        boolean certificates = tls != null && tls.clientCaFile() != null;
        if (certificates
                && !RequestAuthenticator.hasCertificate(request.connection().sslSession())) {
            new HttpErrorResponse(
                            401,
                            "unauthenticated",
                            "This server requires authentication.",
                            "use a client certificate that its CA has signed")
                    .sendAndClose(request);
            return;
        }
        connectionLimiter.markAuthenticated(request.connection());
        postEndpoint.handle(vertx, request);
    }

    /**
     * Loads a token or certificate that was replaced in its file, for new connections; returns whether there was one. If the new
     * files cannot be used, such as a certificate without its key, the old credentials stay in use and loading is tried again.
     */
    Future<Boolean> reloadCredentials() {
        ServerCredentials before = credentials.get();
        return vertx.executeBlocking(() -> before.reload(config))
                .map(Objects::requireNonNull)
                .compose(now -> now.hasSameContent(before)
                        ? Future.succeededFuture(false)
                        : updateTls().map(done -> {
                            credentials.set(now);
                            LOG.info("credentials reloaded");
                            return true;
                        }))
                .onFailure(e -> LOG.atError()
                        .addKeyValue(LogKey.REASON.label(), e.getMessage())
                        .log("credentials reload failed"));
    }

    private Future<Boolean> updateTls() {
        return config.tls() == null
                ? Future.succeededFuture(true)
                : server.updateSSLOptions(options(config).getSslOptions(), true);
    }

    /** Returns when the certificate in use, or another of its chain, expires; null without TLS. */
    public @Nullable Instant certificateExpiresAt() {
        return credentials.get().certificateExpiresAt();
    }

    /** Returns the port that it listens on, which the system may have chosen. */
    public int port() {
        return server.actualPort();
    }

    /** Returns its URL. */
    public URI uri() {
        String host = config.listen().host();
        return URI.create((config.tls() == null ? "http://" : "https://")
                + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port());
    }

    /** Stops listening and closes open connections. */
    public Future<Void> stop() {
        if (reloadTimer != null) {
            vertx.cancelTimer(reloadTimer);
        }
        return server.close();
    }

    private static Router router(
            Vertx vertx,
            HttpServerConfig config,
            AtomicReference<ServerCredentials> credentials,
            ConnectionLimiter connectionLimiter,
            HealthAndMetricsRoutes healthAndMetricsRoutes,
            Consumer<Router> routes,
            Predicate<String> open) {
        ServerTlsConfig tls = config.tls();
        Router router = Router.router(vertx);
        router.route().handler(ctx -> {
            SecurityHeaders.put(ctx.response(), tls != null);
            ctx.next();
        });
        Predicate<String> anybody = path -> HealthAndMetricsRoutes.isPublicPath(path) || open.test(path);
        router.route()
                .handler(new RequestAuthenticator(credentials, tls != null && tls.clientCaFile() != null, anybody));
        router.route().handler(ctx -> {
            if (!anybody.test(String.valueOf(ctx.request().path()))) {
                connectionLimiter.markAuthenticated(ctx.request().connection());
            }
            ctx.next();
        });
        healthAndMetricsRoutes.mount(router);
        routes.accept(router);
        ErrorResponseHandler.mount(router);
        return router;
    }

    private static HttpServerOptions options(HttpServerConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(HttpLimits.MAX_REQUEST_LINE)
                .setMaxHeaderSize(HttpLimits.MAX_HEADERS)
                .setIdleTimeout((int) HttpLimits.IDLE_TIMEOUT.toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                // All clients support HTTP/1.1; HTTP/2 would only add attack surface.
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false);
        ServerTlsConfig tls = config.tls();
        if (tls == null) {
            return options;
        }
        options.setSsl(true)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setSslHandshakeTimeout(HttpLimits.HANDSHAKE_TIMEOUT.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(tls.certFile().toString())
                        .setKeyPath(tls.keyFile().toString()));
        Path clients = tls.clientCaFile();
        if (clients != null) {
            // Client certificates are requested, not required: probes have none. A wrong one fails the handshake.
            options.setClientAuth(ClientAuth.REQUEST)
                    .setTrustOptions(new PemTrustOptions().addCertPath(clients.toString()));
        }
        return options;
    }
}
