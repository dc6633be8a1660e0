package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One watch, from its beginning to its end. The next bytes are asked for when the last were taken, so that nothing piles up;
 * and a connection that says nothing ends it when its time is over, whoever still thinks that it is open.
 */
final class KubeWatch {
    /** No object of an API server is longer. */
    private static final int LONGEST_EVENT = Answer.Bounds.OBJECT.bytes();

    private static final int GONE = 410;
    private static final int OK = 200;

    private final BlockingQueue<Arrived> arrived = new ArrayBlockingQueue<>(2);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Watched.Taker taker;

    /** Some bytes, or nothing for the end. */
    private record Arrived(@Nullable List<ByteBuffer> buffers) {}

    KubeWatch(Watched.Taker taker) {
        this.taker = taker;
    }

    Watched run(HttpClient client, HttpRequest request, long headMillis, long mostMillis) throws InterruptedException {
        CompletableFuture<HttpResponse<AsyncBody>> answer =
                client.consumeBytes(request, (buffers, body) -> arrived.put(new Arrived(buffers)));
        HttpResponse<AsyncBody> response;
        try {
            response = answer.get(headMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return new Watched.Broken(RootCause.of(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new Watched.Broken("no answer within " + headMillis + " ms");
        }
        AsyncBody body = response.body();
        try {
            return response.code() == OK ? follow(body, mostMillis) : refused(response);
        } finally {
            body.cancel();
        }
    }

    private static Watched refused(HttpResponse<AsyncBody> response) {
        return response.code() == GONE
                ? new Watched.Expired()
                : new Watched.Broken(
                        "refused with " + response.code(), Answer.retryAfter(response.header("Retry-After")));
    }

    private Watched follow(AsyncBody body, long mostMillis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
        taker.opened();
        var unused = body.done().whenComplete((nothing, failure) -> arrived.offer(new Arrived(null)));
        while (true) {
            body.consume();
            Arrived next = arrived.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return new Watched.Broken("the watch has not ended in its time: its connection is no more");
            }
            List<ByteBuffer> buffers = next.buffers();
            if (buffers == null) {
                return body.done().isCompletedExceptionally()
                        ? new Watched.Broken("it broke off")
                        : new Watched.Ended();
            }
            Watched over = take(buffers);
            if (over != null) {
                return over;
            }
        }
    }

    private @Nullable Watched take(List<ByteBuffer> buffers) throws InterruptedException {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next != '\n') {
                    line.write(next);
                } else {
                    Watched over = event(line.toByteArray());
                    line.reset();
                    if (over != null) {
                        return over;
                    }
                }
            }
            if (line.size() > LONGEST_EVENT) {
                return new Watched.Broken("an event of more than " + LONGEST_EVENT + " bytes");
            }
        }
        return null;
    }

    private @Nullable Watched event(byte[] bytes) throws InterruptedException {
        if (bytes.length == 0) {
            return null;
        }
        if (!(JsonReader.read(bytes, LONGEST_EVENT) instanceof ParseResult.ParsedDocument parsedDocument)
                || !(parsedDocument.value() instanceof JsonObjectReader jsonObjectReader)) {
            return new Watched.Broken("an event that cannot be read");
        }
        Kube event = new Kube(jsonObjectReader);
        String type = event.text("type");
        Kube object = event.part("object");
        if ("ERROR".equals(type)) {
            Long code = object.whole("code");
            return code != null && code == GONE ? new Watched.Expired() : new Watched.Broken("it says " + code);
        }
        taker.take(type == null ? "" : type, object);
        return null;
    }
}
