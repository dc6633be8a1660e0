package dev.flotilla.runtime.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.Map;

/** Counts connections, and closes those that are too many or never ask anything. Lives on the server's event loop. */
final class Connections implements Handler<HttpConnection> {
    private static final long ASKED = -1;

    private final Vertx vertx;
    private final int most;
    /** Each open connection with the timer that closes it, or {@link #ASKED}. */
    private final Map<HttpConnection, Long> open = new HashMap<>();

    Connections(Vertx vertx, int most) {
        this.vertx = vertx;
        this.most = most;
    }

    @Override
    public void handle(HttpConnection connection) {
        if (open.size() >= most) {
            connection.close();
            return;
        }
        long timer = vertx.setTimer(Limits.FIRST_REQUEST.toMillis(), late -> connection.close());
        open.put(connection, timer);
        connection.closeHandler(closed -> {
            cancel(connection);
            open.remove(connection);
        });
    }

    /** Told of every request. */
    void asked(HttpConnection connection) {
        cancel(connection);
    }

    private void cancel(HttpConnection connection) {
        Long timer = open.replace(connection, ASKED);
        if (timer != null && timer != ASKED) {
            vertx.cancelTimer(timer);
        }
    }
}
