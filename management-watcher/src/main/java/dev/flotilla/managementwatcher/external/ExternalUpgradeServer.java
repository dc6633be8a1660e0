package dev.flotilla.managementwatcher.external;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.runtime.http.ConnectionLimiter;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.runtime.http.RejectedRequestException;
import dev.flotilla.runtime.http.RequestBodyReader;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.row.SiteMode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listener for ExternalUpgradeRequests. Every caller shows a client certificate or a token of the management
 * cluster, also on the loopback, before its request is read. A request is read up to 1 MiB and for 10 s; 16 are answered at a time,
 * and more are sent away.
 */
public final class ExternalUpgradeServer {
    /** The path of requests. */
    public static final String PATH = "/external-upgrade-requests";

    static final int MAX_BODY = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ExternalUpgradeServer.class);
    private static final int MAX_CONCURRENT_REQUESTS = 16;
    private static final int IDLE_SECONDS = 60;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final long RELOAD_MILLIS = 10_000;
    private static final String BEARER = "Bearer ";

    /** How long a body may take. An idle timeout is not enough: a byte a second is not idle. */
    private static final RequestBodyReader BODY_READER =
            new RequestBodyReader(MAX_BODY, Duration.ofSeconds(10), "name the owner, not every machine");

    private static final int MAX_CONNECTIONS = 256;

    private final Vertx vertx;
    private final ExternalUpgradeConfig config;
    private final CallerAuthorizer callerAuthorizer;
    private final ExternalUpgradeHandler handler;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT_REQUESTS);
    private final ConnectionLimiter connectionLimiter;
    private final HttpServer server;
    private final @Nullable Long reloadTimer;

    private ExternalUpgradeServer(
            Vertx vertx,
            ExternalUpgradeConfig config,
            CallerAuthorizer callerAuthorizer,
            ExternalUpgradeHandler handler) {
        this.vertx = vertx;
        this.config = config;
        this.callerAuthorizer = callerAuthorizer;
        this.handler = handler;
        this.connectionLimiter = new ConnectionLimiter(vertx, MAX_CONNECTIONS);
        this.server = vertx.createHttpServer(options(config))
                .connectionHandler(connectionLimiter)
                .requestHandler(this::handle);
        this.reloadTimer = config.tls() == null ? null : vertx.setPeriodic(RELOAD_MILLIS, id -> reloadCertificates());
    }

    /**
     * Starts listening.
     *
     * @param mode mode of the site; null while it is not known
     */
    public static Future<ExternalUpgradeServer> start(
            Vertx vertx,
            ExternalUpgradeConfig config,
            KubeApiClient api,
            SiteId site,
            Supplier<@Nullable SiteMode> mode) {
        ExternalUpgradeServer started = new ExternalUpgradeServer(
                vertx, config, new CallerAuthorizer(api), new ExternalUpgradeHandler(api, site, mode));
        HostPort listen = config.listen();
        return started.server.listen(listen.port(), listen.host()).map(started);
    }

    /** Returns the port that it listens on, which the system may have chosen. */
    public int port() {
        return server.actualPort();
    }

    /** Stops listening and closes open connections. */
    public Future<Void> stop() {
        if (reloadTimer != null) {
            vertx.cancelTimer(reloadTimer);
        }
        return server.close();
    }

    /** Loads certificates that were replaced in their files. Such that cannot be used leave the present ones in use. */
    Future<Boolean> reloadCertificates() {
        return server.updateSSLOptions(options(config).getSslOptions(), true)
                .onFailure(failure -> LOG.atError()
                        .addKeyValue(LogKey.REASON.label(), failure.getMessage())
                        .log("external upgrade credentials reload failed"));
    }

    private static HttpServerOptions options(ExternalUpgradeConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setMaxHeaderSize(MAX_HEADERS)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setUseAlpn(false)
                .setHttp2ClearTextEnabled(false);
        ServerTlsConfig tls = config.tls();
        if (tls == null) {
            return options;
        }
        options.setSsl(true)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(tls.certFile().toString())
                        .setKeyPath(tls.keyFile().toString()));
        if (tls.clientCaFile() != null) {
            // Requested, not required: callers with a token have none. A wrong one fails the handshake.
            options.setClientAuth(ClientAuth.REQUEST)
                    .setTrustOptions(
                            new PemTrustOptions().addCertPath(tls.clientCaFile().toString()));
        }
        return options;
    }

    private void handle(HttpServerRequest request) {
        connectionLimiter.onRequest(request.connection());
        HttpErrorResponse refusal = refusal(request);
        if (refusal != null) {
            refuse(request, refusal);
            return;
        }
        if (!permits.tryAcquire()) {
            refuse(
                    request,
                    HttpErrorResponse.unavailable(
                            "overloaded", "More than " + MAX_CONCURRENT_REQUESTS + " requests are open.", "try again"));
            return;
        }
        // Who is nobody holds no permit: its body is not read.
        request.pause();
        vertx.executeBlocking(() -> findCaller(request), false)
                .compose(caller -> {
                    connectionLimiter.markAuthenticated(request.connection());
                    return BODY_READER
                            .read(vertx, request)
                            .compose(body -> vertx.executeBlocking(() -> answer(caller, body.getBytes()), false));
                })
                .onComplete(done -> permits.release())
                .onSuccess(answer -> JsonResponseWriter.send(request.response(), ExternalUpgradeCodecs.ANSWER, answer))
                .onFailure(failure -> refuse(request, describe(failure)));
    }

    private static @Nullable HttpErrorResponse refusal(HttpServerRequest request) {
        if (!PATH.equals(request.path())) {
            return new HttpErrorResponse(404, "not-found", "There is nothing at this path.", "POST to " + PATH);
        }
        if (!request.method().equals(HttpMethod.POST)) {
            return new HttpErrorResponse(405, "method", "Only POST is allowed here.", "POST to " + PATH);
        }
        String type = request.getHeader("Content-Type");
        if (type == null || !type.replaceFirst(";.*", "").strip().equalsIgnoreCase(JsonResponseWriter.TYPE)) {
            return new HttpErrorResponse(
                    415, "content-type", "The body must be JSON.", "send Content-Type: " + JsonResponseWriter.TYPE);
        }
        String length = request.getHeader("Content-Length");
        return length != null && (length.length() > 9 || Long.parseLong(length) > MAX_BODY)
                ? BODY_READER.tooLarge()
                : null;
    }

    private static void refuse(HttpServerRequest request, HttpErrorResponse refusal) {
        if (request.response().ended()) {
            return;
        }
        if (refusal.status() == 401) {
            request.response().putHeader("WWW-Authenticate", "Bearer");
        }
        if (refusal.status() == 405) {
            request.response().putHeader("Allow", "POST");
        }
        // An unread body would precede the next request.
        refusal.sendAndClose(request);
    }

    private static HttpErrorResponse describe(Throwable failure) {
        if (failure instanceof RejectedRequestException rejected) {
            return rejected.response();
        }
        LOG.atError().setCause(failure).log("external upgrade request failed");
        return new HttpErrorResponse(
                500, "bug", "The server failed to answer the request because of a bug.", "see the server's log");
    }

    private ExternalUpgradeAnswer answer(RequestCaller caller, byte[] body) {
        ExternalUpgradeRequest read = readRequest(body);
        String namespace = read.cluster().namespace();
        callerAuthorizer.authorize(caller, namespace, "create");
        ExternalUpgradeAnswer answer =
                handler.answer(read, caller.user(), () -> callerAuthorizer.authorize(caller, namespace, "patch"));
        LOG.atInfo()
                .addKeyValue(LogKey.REASON.label(), answer.reason())
                .addKeyValue(
                        LogKey.CLUSTER.label(),
                        read.cluster().namespace() + "/" + read.cluster().name())
                .log("external upgrade request answered");
        return answer;
    }

    private RequestCaller findCaller(HttpServerRequest request) {
        String authorization = request.getHeader("Authorization");
        if (authorization != null && authorization.startsWith(BEARER)) {
            return callerAuthorizer.authenticate(
                    authorization.substring(BEARER.length()).strip());
        }
        X509Certificate certificate = certificate(request.connection().sslSession());
        RequestCaller caller = certificate == null ? null : CallerAuthorizer.ofCertificate(certificate);
        if (caller == null) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    401,
                    "unauthenticated",
                    "This server requires authentication.",
                    "send the header Authorization: Bearer <token of a ServiceAccount of the management cluster>"
                            + (config.tls() == null || config.tls().clientCaFile() == null
                                    ? ""
                                    : ", or use a client certificate that its CA has signed")));
        }
        return caller;
    }

    private static @Nullable X509Certificate certificate(@Nullable SSLSession session) {
        try {
            return session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? certificate
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    private static ExternalUpgradeRequest readRequest(byte[] body) {
        if (!(JsonReader.read(body, MAX_BODY) instanceof ParseResult.ParsedDocument document)) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    400, "unreadable", "The body is not JSON.", "send an ExternalUpgradeRequest as JSON"));
        }
        ProblemCollector problems = ProblemCollector.strict();
        ExternalUpgradeRequest request = ExternalUpgradeCodecs.REQUEST.read(document.value(), problems);
        if (request == null || !problems.none()) {
            throw new RejectedRequestException(new HttpErrorResponse(
                    400,
                    "invalid",
                    problems.rejections().isEmpty()
                            ? "The body is no ExternalUpgradeRequest."
                            : problems.rejections().getFirst().toString(),
                    "see docs/external-upgrade-request.md"));
        }
        return Objects.requireNonNull(request);
    }
}
