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
     * Reads the body while the bodies of all open requests together have no more bytes than there are permits. Whoever gets the body gives
     * back a permit for each of its bytes.
     */
    Future<Buffer> read(Vertx vertx, HttpServerRequest request, Semaphore openBytes) {
        Promise<Buffer> read = Promise.promise();
        Buffer body = Buffer.buffer();
        long timer = vertx.setTimer(timeout.toMillis(), late -> read.tryFail(new RejectedRequestException(tooSlow())));
        request.handler(chunk -> {
            if (body.length() + chunk.length() > maxBytes) {
                read.tryFail(new RejectedRequestException(tooLarge()));
            } else if (!read.future().isComplete()) {
                if (openBytes.tryAcquire(chunk.length())) {
                    body.appendBuffer(chunk);
                } else {
                    read.tryFail(new RejectedRequestException(HttpErrorResponse.unavailable(
                            "overloaded", "The bodies of open requests are too large together.", "try again")));
                }
            }
        });
        request.end().onSuccess(end -> read.tryComplete(body)).onFailure(read::tryFail);
        request.resume();
        return read.future().onComplete(done -> vertx.cancelTimer(timer)).onFailure(e -> openBytes.release(body.length()));
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
