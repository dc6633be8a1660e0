package dev.flotilla.runtime.http;

import io.vertx.core.http.HttpServerResponse;

/** Security headers of every response. A route that serves a page sets its own instead. */
final class SecurityHeaders {
    private SecurityHeaders() {}

    static void put(HttpServerResponse response, boolean tls) {
        response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        if (tls) {
            response.putHeader("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
