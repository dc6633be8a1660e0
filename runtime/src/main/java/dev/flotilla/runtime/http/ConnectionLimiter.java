package dev.flotilla.runtime.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Bounds the open connections. Lives on the server's event loop.
 *
 * <p>Where there are too many, the one that has been idle longest makes room, first among those whose client has shown no
 * right to ask: a new connection may be a kubelet's probe, and whoever only holds connections open must not keep it out.
 */
final class ConnectionLimiter implements Handler<HttpConnection> {
    private final Vertx vertx;
    private final int most;
    /** Connections without an admitted request, the one idle longest first. */
    private final SequencedSet<HttpConnection> strangers = new LinkedHashSet<>();
    /** Connections with an admitted request, the one idle longest first. */
    private final SequencedSet<HttpConnection> admitted = new LinkedHashSet<>();
    /** The timers that close connections on which nothing was asked yet. */
    private final Map<HttpConnection, Long> timers = new HashMap<>();

    ConnectionLimiter(Vertx vertx, int most) {
        this.vertx = vertx;
        this.most = most;
    }

    @Override
    public void handle(HttpConnection connection) {
        if (strangers.size() + admitted.size() >= most) {
            (strangers.isEmpty() ? admitted : strangers).removeFirst().close();
        }
        strangers.add(connection);
        timers.put(connection, vertx.setTimer(HttpLimits.FIRST_REQUEST.toMillis(), late -> connection.close()));
        connection.closeHandler(closed -> {
            cancelTimer(connection);
            strangers.remove(connection);
            admitted.remove(connection);
        });
    }

    /** Notes that a request arrived. */
    void onRequest(HttpConnection connection) {
        cancelTimer(connection);
        if (strangers.remove(connection)) {
            strangers.addLast(connection);
        }
    }

    /** Notes that the client of a request may ask more than a probe asks. */
    void admitConnection(HttpConnection connection) {
        if (strangers.remove(connection) || admitted.remove(connection)) {
            admitted.addLast(connection);
        }
    }

    private void cancelTimer(HttpConnection connection) {
        Long timer = timers.remove(connection);
        if (timer != null) {
            vertx.cancelTimer(timer);
        }
    }
}
