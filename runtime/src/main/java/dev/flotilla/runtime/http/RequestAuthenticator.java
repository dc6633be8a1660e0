package dev.flotilla.runtime.http;

import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask, and what may be asked at all.
 *
 * @param credentials what is asked for now; a token lets in whoever shows it
 * @param clientCertificates whether a certificate that the TLS layer has verified lets in
 * @param publicPaths paths that anybody may ask for
 */
record RequestAuthenticator(
        AtomicReference<ServerCredentials> credentials, boolean clientCertificates, Predicate<String> publicPaths)
        implements Handler<RoutingContext> {

    @Override
    public void handle(RoutingContext ctx) {
        HttpErrorResponse refusal = refusal(ctx.request());
        if (refusal == null) {
            ctx.next();
            return;
        }
        if (refusal.status() == 401 && token() != null) {
            ctx.response().putHeader("WWW-Authenticate", "Bearer");
        }
        if (refusal.status() == 405) {
            ctx.response().putHeader("Allow", "GET, HEAD");
        }
        // A refused client must not hold a connection, and a body would have to be read to get at the next request.
        ctx.response().putHeader("Connection", "close");
        refusal.send(ctx.response());
    }

    private @Nullable HttpErrorResponse refusal(HttpServerRequest request) {
        if (isStranger(request)) {
            return new HttpErrorResponse(
                    401,
                    "unauthenticated",
                    "This server answers only those it knows.",
                    token() == null
                            ? "show a client certificate of its authority"
                            : "send the header Authorization: Bearer <token>");
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return new HttpErrorResponse(
                    405,
                    "read-only",
                    RedactedText.redact(request.method().name()) + " is not taken: nothing is changed here.",
                    "change things through Kafka, with the flotilla command");
        }
        if (hasBody(request)) {
            return new HttpErrorResponse(413, "no-body", "A question has no body.", "use query parameters");
        }
        return isRebound(request)
                ? new HttpErrorResponse(
                        421,
                        "wrong-host",
                        "This server is not the one that the header Host names.",
                        "use 127.0.0.1 or localhost")
                : null;
    }

    private boolean isStranger(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        if (!asks() || publicPaths.test(path)) {
            return false;
        }
        BearerTokenVerifier token = token();
        boolean byToken = token != null && token.matches(request.getHeader("Authorization"));
        return !byToken
                && !(clientCertificates && hasCertificate(request.connection().sslSession()));
    }

    /** Whether it asks who somebody is at all. */
    private boolean asks() {
        return token() != null || clientCertificates;
    }

    private @Nullable BearerTokenVerifier token() {
        return credentials.get().token();
    }

    private static boolean hasCertificate(@Nullable SSLSession session) {
        try {
            return session != null && session.getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        return (length != null && !length.equals("0")) || request.getHeader("Transfer-Encoding") != null;
    }

    /** Whether a web page has had its own name resolved to this machine, to read what is open only to those on it. */
    private boolean isRebound(HttpServerRequest request) {
        if (asks()) {
            return false;
        }
        HostAndPort authority = request.authority();
        String host = authority == null ? "" : authority.host();
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return !new HostPort(bare, 0).isLoopback();
    }
}
