package dev.flotilla.simulator.kubernetes;

import dev.flotilla.simulator.kubernetes.request.ObjectWatch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Streams a watch to a client: over a WebSocket if the client asks for one, otherwise as an endless response body. */
final class WatchStream {
    /** A client that is this many bytes behind is cut off and has to list again. */
    private static final int MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

    private static final byte[] LINE = {'\n'};

    private final Vertx vertx;
    private final SimApiServer cluster;
    private final ObjectWatch watch;

    WatchStream(Vertx vertx, SimApiServer cluster, ObjectWatch watch) {
        this.vertx = vertx;
        this.cluster = cluster;
        this.watch = watch;
    }

    /** Where the events of a watch are written to. */
    private interface EventSink {
        boolean full();

        void write(byte[] event);

        Future<Void> end();
    }

    void open(HttpServerRequest request) {
        if (request.canUpgradeToWebSocket()) {
            request.toWebSocket().onSuccess(socket -> {
                socket.setWriteQueueMaxSize(MAX_BACKLOG_BYTES);
                Runnable stop =
                        run(new Frames(socket), () -> request.connection().close());
                socket.closeHandler(closed -> stop.run());
            });
            return;
        }
        HttpServerResponse response = request.response()
                .setChunked(true)
                .setWriteQueueMaxSize(MAX_BACKLOG_BYTES)
                .putHeader("Content-Type", "application/json");
        response.writeHead();
        Runnable stop = run(new Chunks(response), () -> request.connection().close());
        response.closeHandler(closed -> stop.run());
    }

    private Runnable run(EventSink line, Runnable hangUp) {
        List<Runnable> ends = new ArrayList<>();
        Runnable stop = () -> {
            List.copyOf(ends).forEach(Runnable::run);
            ends.clear();
        };
        // A connection that is being closed cannot be written to, and its close handler runs only later.
        Runnable cut = () -> {
            stop.run();
            hangUp.run();
        };
        ends.add(watch.run(event -> {
            if (line.full()) {
                cut.run();
            } else {
                line.write(event);
            }
        }));
        ends.add(() -> cluster.cuts().remove(cut));
        cluster.cuts().add(cut);
        if (watch.isExpired()) {
            stop.run();
            line.end();
        } else if (watch.seconds() > 0) {
            vertx.setTimer(TimeUnit.SECONDS.toMillis(watch.seconds()), due -> {
                stop.run();
                line.end();
            });
        }
        return stop;
    }

    private record Frames(ServerWebSocket socket) implements EventSink {
        @Override
        public boolean full() {
            return socket.isClosed() || socket.writeQueueFull();
        }

        @Override
        public void write(byte[] event) {
            socket.writeTextMessage(Buffer.buffer(event).toString());
        }

        @Override
        public Future<Void> end() {
            return socket.close();
        }
    }

    private record Chunks(HttpServerResponse response) implements EventSink {
        @Override
        public boolean full() {
            return response.closed() || response.writeQueueFull();
        }

        @Override
        public void write(byte[] event) {
            response.write(Buffer.buffer(event).appendBytes(LINE));
        }

        @Override
        public Future<Void> end() {
            return response.end();
        }
    }
}
