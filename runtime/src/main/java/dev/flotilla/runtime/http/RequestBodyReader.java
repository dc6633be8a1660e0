package dev.flotilla.runtime.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request up to a limit of bytes and of time. Beyond one of them the read fails with a {@link
 * RejectedRequestException}.
 *
 * @param tooLargeHint what to do about a body with more bytes; null for nothing
 */
public record RequestBodyReader(
        int maxBytes, Duration timeout, @Nullable String tooLargeHint) {

    /** Reads the body. A request that was paused is resumed. */
    public Future<Buffer> read(Vertx vertx, HttpServerRequest request) {
        return read(vertx, request, new Semaphore(maxBytes));
    }

    /**
     * Reads the body while the bodies of all open requests together have no more bytes than there are permits. The caller gives back a
     * permit for each byte of the body that it gets.
     */
    Future<Buffer> read(Vertx vertx, HttpServerRequest request, Semaphore openBytes) {
        OpenBody body = new OpenBody(openBytes);
        long timer = vertx.setTimer(timeout.toMillis(), late -> body.reject(tooSlow()));
        request.handler(body::add);
        request.end().onSuccess(end -> body.complete()).onFailure(body.read::tryFail);
        request.resume();
        return body.read.future().onComplete(done -> vertx.cancelTimer(timer)).onFailure(failure -> body.release());
    }

    /** A body that is being read, on one event loop. */
    private final class OpenBody {
        private final Promise<Buffer> read = Promise.promise();
        private final Semaphore openBytes;
        private Buffer kept = Buffer.buffer();
        private int received;
        private boolean isTooMuchTogether;

        private OpenBody(Semaphore openBytes) {
            this.openBytes = openBytes;
        }

        private void add(Buffer chunk) {
            if (read.future().isComplete()) {
                return;
            }
            if (received + chunk.length() > maxBytes) {
                reject(tooLarge());
                return;
            }
            received += chunk.length();
            if (isTooMuchTogether || openBytes.tryAcquire(chunk.length())) {
                // A caller that is still sending does not see an answer, so the rest is read and thrown away.
                kept = isTooMuchTogether ? kept : kept.appendBuffer(chunk);
            } else {
                isTooMuchTogether = true;
                release();
            }
        }

        private void complete() {
            if (isTooMuchTogether) {
                reject(HttpErrorResponse.unavailable(
                        "overloaded", "The bodies of open requests are too large together.", "try again"));
            } else {
                read.tryComplete(kept);
            }
        }

        private void reject(HttpErrorResponse response) {
            read.tryFail(new RejectedRequestException(response));
        }

        private void release() {
            openBytes.release(kept.length());
            kept = Buffer.buffer();
        }
    }

    private HttpErrorResponse tooSlow() {
        return new HttpErrorResponse(
                408, "too-slow", "The body did not arrive within " + timeout.toSeconds() + " s.", "send it again");
    }

    /** The response to a body with more bytes. */
    public HttpErrorResponse tooLarge() {
        return new HttpErrorResponse(413, "too-large", "The body has more than " + maxBytes + " bytes.", tooLargeHint);
    }
}
