package dev.flotilla.runtime.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Limits the number of open connections. It runs on the server's event loop.
 *
 * <p>If there are too many connections, the one that has been idle for the longest time is closed, first among those without an
 * authenticated request: a new connection may be a kubelet's probe, and clients that only hold connections open must not
 * prevent it.
 */
public final class ConnectionLimiter implements Handler<HttpConnection> {
    private final Vertx vertx;
    private final int maxConnections;
    /** Connections without an authenticated request, the longest idle first. */
    private final SequencedSet<HttpConnection> unauthenticated = new LinkedHashSet<>();
    /** Connections with an authenticated request, the longest idle first. */
    private final SequencedSet<HttpConnection> authenticated = new LinkedHashSet<>();
    /** Timers that close connections without a first request. */
    private final Map<HttpConnection, Long> timers = new HashMap<>();

    public ConnectionLimiter(Vertx vertx, int most) {
        this.vertx = vertx;
        this.maxConnections = most;
    }

    @Override
    public void handle(HttpConnection connection) {
        if (unauthenticated.size() + authenticated.size() >= maxConnections) {
            (unauthenticated.isEmpty() ? authenticated : unauthenticated)
                    .removeFirst()
                    .close();
        }
        unauthenticated.add(connection);
        timers.put(connection, vertx.setTimer(HttpLimits.FIRST_REQUEST_TIMEOUT.toMillis(), late -> connection.close()));
        connection.closeHandler(closed -> {
            cancelTimer(connection);
            unauthenticated.remove(connection);
            authenticated.remove(connection);
        });
    }

    /** Records that a request arrived. */
    public void onRequest(HttpConnection connection) {
        cancelTimer(connection);
        if (unauthenticated.remove(connection)) {
            unauthenticated.addLast(connection);
        }
    }

    /** Records that the client of a request is authenticated. */
    public void markAuthenticated(HttpConnection connection) {
        if (unauthenticated.remove(connection) || authenticated.remove(connection)) {
            authenticated.addLast(connection);
        }
    }

    private void cancelTimer(HttpConnection connection) {
        Long timer = timers.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
