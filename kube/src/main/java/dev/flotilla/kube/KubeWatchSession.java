package dev.flotilla.kube;

import dev.flotilla.schemas.json.codec.DurationFormat;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One watch, from its beginning to its end. The next bytes are requested after the last ones were handled, so that nothing is
 * queued. If the connection is silent, the watch ends when its time is over, even if the connection seems to be open.
 */
final class KubeWatchSession {
    /** The maximum size of an event; no object of an API server is larger. */
    private static final int MAX_EVENT = KubeResponseReader.ResponseLimits.OBJECT.bytes();

    private static final int GONE = 410;
    private static final int OK = 200;

    private final BlockingQueue<Arrived> received = new ArrayBlockingQueue<>(2);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final WatchResult.WatchHandler watchHandler;

    /** Received bytes, or null at the end of the stream. */
    private record Arrived(@Nullable List<ByteBuffer> buffers) {}

    KubeWatchSession(WatchResult.WatchHandler watchHandler) {
        this.watchHandler = watchHandler;
    }

    WatchResult runWatch(HttpClient client, HttpRequest request, long headMillis, long mostMillis)
            throws InterruptedException {
        CompletableFuture<HttpResponse<AsyncBody>> answer =
                client.consumeBytes(request, (buffers, body) -> received.put(new Arrived(buffers)));
        HttpResponse<AsyncBody> response;
        try {
            response = answer.get(headMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return new WatchResult.WatchBroken(RootCauseMessage.describe(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new WatchResult.WatchBroken(
                    "no response within " + DurationFormat.print(Duration.ofMillis(headMillis)));
        }
        AsyncBody body = response.body();
        try {
            return response.code() == OK ? follow(body, mostMillis) : toRejected(response);
        } finally {
            body.cancel();
        }
    }

    private static WatchResult toRejected(HttpResponse<AsyncBody> response) {
        return response.code() == GONE
                ? new WatchResult.VersionExpired()
                : new WatchResult.WatchBroken(
                        "rejected with status " + response.code(),
                        KubeResponseReader.retryAfter(response.header("Retry-After")));
    }

    private WatchResult follow(AsyncBody body, long mostMillis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        watchHandler.onOpened();
        var unused = body.done().whenComplete((nothing, failure) -> received.offer(new Arrived(null)));
        while (true) {
            body.consume();
            Arrived next = received.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return new WatchResult.WatchBroken("the watch did not end in time: its connection is dead");
            }
            List<ByteBuffer> buffers = next.buffers();
            if (buffers == null) {
                return body.done().isCompletedExceptionally()
                        ? new WatchResult.WatchBroken("the connection was closed")
                        : new WatchResult.WatchEnded();
            }
            WatchResult over = take(buffers);
            if (over != null) {
                return over;
            }
        }
    }

    private @Nullable WatchResult take(List<ByteBuffer> buffers) throws InterruptedException {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next != '\n') {
                    line.write(next);
                } else {
                    WatchResult over = event(line.toByteArray());
                    line.reset();
                    if (over != null) {
                        return over;
                    }
                }
            }
            if (line.size() > MAX_EVENT) {
                return new WatchResult.WatchBroken("an event of more than " + MAX_EVENT + " bytes");
            }
        }
        return null;
    }

    private @Nullable WatchResult event(byte[] bytes) throws InterruptedException {
        if (bytes.length == 0) {
            return null;
        }
        if (!(JsonReader.readDocument(bytes, MAX_EVENT) instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            return new WatchResult.WatchBroken("an unreadable event");
        }
        KubeObject event = new KubeObject(jsonObjectReader);
        String type = event.text("type");
        KubeObject object = event.object("object");
        if ("ERROR".equals(type)) {
            Long code = object.number("code");
            return code != null && code == GONE
                    ? new WatchResult.VersionExpired()
                    : new WatchResult.WatchBroken("the API server sent error " + code);
        }
        watchHandler.onEvent(type == null ? "" : type, object);
        return null;
    }
}
