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
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An application's HTTP server, running. All its connections are served by one event loop: it answers, and computes nothing. */
public final class HttpEndpoint {
    private final ServerConfig config;
    private final HttpServer server;

    private HttpEndpoint(ServerConfig config, HttpServer server) {
        this.config = config;
        this.server = server;
    }

    /**
     * Starts the server.
     *
     * @param routes adds what the application answers; it finds everybody let in, and nothing but GET and HEAD
     */
    public static Future<HttpEndpoint> start(Vertx vertx, ServerConfig config, Probes probes, Consumer<Router> routes) {
        return vertx.executeBlocking(() -> token(config.tokenFile())).compose(token -> {
            Connections connections = new Connections(vertx, Limits.CONNECTIONS);
            Router router = router(vertx, config, token, probes, routes);
            return vertx.createHttpServer(options(config))
                    .connectionHandler(connections)
                    .invalidRequestHandler(Failures::unreadable)
                    .requestHandler(request -> {
                        connections.asked(request.connection());
                        router.handle(request);
                    })
                    .listen(config.listen().port(), config.listen().host())
                    .map(server -> new HttpEndpoint(config, server));
        });
    }

    private static @Nullable BearerToken token(@Nullable Path file) throws IOException {
        return file == null ? null : BearerToken.in(file);
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
        return server.close();
    }

    private static Router router(
            Vertx vertx, ServerConfig config, @Nullable BearerToken token, Probes probes, Consumer<Router> routes) {
        TlsConfig tls = config.tls();
        Router router = Router.router(vertx);
        router.route().handler(ctx -> {
            Headers.put(ctx.response(), tls != null);
            ctx.next();
        });
        router.route().handler(new Doorkeeper(token, tls != null && tls.clientCaFile() != null));
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
