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
 * Authenticates requests and rejects those that the server never accepts.
 *
 * @param credentials the current token that clients must send
 * @param clientCertificates whether a client certificate that the TLS layer has verified is accepted
 * @param publicPaths paths that need no authentication
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
        // Close the connection: a rejected client must not hold it, and an unread body would precede the next request.
        refusal.sendAndClose(ctx.request());
    }

    private @Nullable HttpErrorResponse refusal(HttpServerRequest request) {
        if (isUnauthenticated(request)) {
            return new HttpErrorResponse(
                    401,
                    "unauthenticated",
                    "This server requires authentication.",
                    token() == null
                            ? "use a client certificate that its CA has signed"
                            : "send the header Authorization: Bearer <token>");
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return new HttpErrorResponse(
                    405,
                    "read-only",
                    RedactedText.redact(request.method().name()) + " is not allowed: this API is read-only.",
                    "use the flotilla command for changes");
        }
        if (hasBody(request)) {
            return new HttpErrorResponse(413, "no-body", "Requests must not have a body.", "use query parameters");
        }
        return hasForeignHost(request)
                ? new HttpErrorResponse(
                        421, "wrong-host", "The Host header does not name this server.", "use 127.0.0.1 or localhost")
                : null;
    }

    private boolean isUnauthenticated(HttpServerRequest request) {
        String path = request.path() == null ? "" : request.path();
        if (!isRequired() || publicPaths.test(path)) {
            return false;
        }
        BearerTokenVerifier token = token();
        boolean byToken = token != null && token.matches(request.getHeader("Authorization"));
        return !byToken
                && !(clientCertificates && hasCertificate(request.connection().sslSession()));
    }

    /** Whether it requires authentication. */
    private boolean isRequired() {
        return token() != null || clientCertificates;
    }

    private @Nullable BearerTokenVerifier token() {
        return credentials.get().token();
    }

    static boolean hasCertificate(@Nullable SSLSession session) {
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

    /** Whether the Host header is foreign to a loopback listener, as in a DNS rebinding attack by a web page. */
    private boolean hasForeignHost(HttpServerRequest request) {
        if (isRequired()) {
            return false;
        }
        HostAndPort authority = request.authority();
        String host = authority == null ? "" : authority.host();
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return !new HostPort(bare, 0).isLoopback();
    }
}
