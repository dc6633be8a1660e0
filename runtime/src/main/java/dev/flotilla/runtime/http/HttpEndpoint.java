package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.config.TlsConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An application's HTTP server, running. All its connections are served by one event loop: it answers, and computes nothing. */
public final class HttpEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    private final Vertx vertx;
    private final ServerConfig config;
    private final AtomicReference<Credentials> credentials;
    private final HttpServer server;
    private final @Nullable Long rotation;

    private HttpEndpoint(
            Vertx vertx, ServerConfig config, AtomicReference<Credentials> credentials, HttpServer server) {
        this.vertx = vertx;
        this.config = config;
        this.credentials = credentials;
        this.server = server;
        this.rotation =
                Credentials.mayChange(config) ? vertx.setPeriodic(Limits.ROTATION.toMillis(), id -> rotate()) : null;
    }

    /**
     * Starts the server.
     *
     * @param routes adds what the application answers; it finds everybody let in, and nothing but GET and HEAD
     */
    public static Future<HttpEndpoint> start(Vertx vertx, ServerConfig config, Probes probes, Consumer<Router> routes) {
        return start(vertx, config, probes, routes, path -> false);
    }

    /**
     * Starts the server.
     *
     * @param routes adds what the application answers
     * @param open paths that anybody may ask for, though all else is told only to those who are known: a page that asks
     *     for the token has to be had without it, and so must hold nothing that others should not see
     */
    public static Future<HttpEndpoint> start(
            Vertx vertx, ServerConfig config, Probes probes, Consumer<Router> routes, Predicate<String> open) {
        return vertx.executeBlocking(() -> Credentials.read(config))
                .map(Objects::requireNonNull)
                .compose(read -> {
                    AtomicReference<Credentials> credentials = new AtomicReference<>(read);
                    Connections connections = new Connections(vertx, Limits.CONNECTIONS);
                    Router router = router(vertx, config, credentials, connections, probes, routes, open);
                    return vertx.createHttpServer(options(config))
                            .connectionHandler(connections)
                            .invalidRequestHandler(Failures::unreadable)
                            .requestHandler(request -> {
                                connections.requested(request.connection());
                                router.handle(request);
                            })
                            .listen(config.listen().port(), config.listen().host())
                            .map(server -> new HttpEndpoint(vertx, config, credentials, server));
                });
    }

    /**
     * Takes in a token or certificate that was replaced in its file, for whoever connects from now on: whether there was
     * anything. What cannot be used, as a certificate whose key is not there yet, leaves in force what was, and is tried
     * again.
     */
    Future<Boolean> rotate() {
        Credentials before = credentials.get();
        return vertx.executeBlocking(() -> before.readAgain(config))
                .map(Objects::requireNonNull)
                .compose(now -> now.sameAs(before)
                        ? Future.succeededFuture(false)
                        : retrust().map(done -> {
                            credentials.set(now);
                            LOG.info("new credentials are in force");
                            return true;
                        }))
                .onFailure(e -> LOG.atError()
                        .addKeyValue("reason", e.getMessage())
                        .log("credentials that were replaced cannot be used; the old ones stay in force"));
    }

    private Future<Boolean> retrust() {
        return config.tls() == null
                ? Future.succeededFuture(true)
                : server.updateSSLOptions(options(config).getSslOptions(), true);
    }

    /** The port it listens on, which may have been chosen for it. */
    public int port() {
        return server.actualPort();
    }

    /** Where it is asked. */
    public URI uri() {
        String host = config.listen().host();
        return URI.create((config.tls() == null ? "http://" : "https://")
                + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port());
    }

    /** Stops listening and closes what is open. */
    public Future<Void> stop() {
        if (rotation != null) {
            vertx.cancelTimer(rotation);
        }
        return server.close();
    }

    private static Router router(
            Vertx vertx,
            ServerConfig config,
            AtomicReference<Credentials> credentials,
            Connections connections,
            Probes probes,
            Consumer<Router> routes,
            Predicate<String> open) {
        TlsConfig tls = config.tls();
        Router router = Router.router(vertx);
        router.route().handler(ctx -> {
            Headers.put(ctx.response(), tls != null);
            ctx.next();
        });
        Predicate<String> anybody = path -> Probes.isOpen(path) || open.test(path);
        router.route().handler(new Doorkeeper(credentials, tls != null && tls.clientCaFile() != null, anybody));
        router.route().handler(ctx -> {
            if (!anybody.test(String.valueOf(ctx.request().path()))) {
                connections.admit(ctx.request().connection());
            }
            ctx.next();
        });
        probes.mount(router);
        routes.accept(router);
        Failures.mount(router);
        return router;
    }

    private static HttpServerOptions options(ServerConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(Limits.REQUEST_LINE)
                .setMaxHeaderSize(Limits.HEADERS)
                .setIdleTimeout((int) Limits.IDLE.toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                // HTTP/1.1 serves all that ask here; HTTP/2 would only add ways to misuse it.
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false);
        TlsConfig tls = config.tls();
        if (tls == null) {
            return options;
        }
        options.setSsl(true)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setSslHandshakeTimeout(Limits.HANDSHAKE.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(tls.certFile().toString())
                        .setKeyPath(tls.keyFile().toString()));
        Path clients = tls.clientCaFile();
        if (clients != null) {
            // Asked for, not demanded: probes have none. Who shows a wrong one is turned away in the handshake.
            options.setClientAuth(ClientAuth.REQUEST)
                    .setTrustOptions(new PemTrustOptions().addCertPath(clients.toString()));
        }
        return options;
    }
}
