package dev.flotilla.runtime.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paths that are posted to. A body is read up to a limit of bytes and of time, then it is answered on a worker thread; at an immediate path
 * it is answered on the event loop, however many requests are open.
 */
public final class PostEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(PostEndpoint.class);

    /** What is answered however many requests are open has a body that does not count. */
    private static final int MAX_IMMEDIATE_BODY = 64 * 1024;

    private final Predicate<String> paths;
    private final Predicate<String> immediate;
    private final RequestBodyReader bodyReader;
    private final RequestBodyReader immediateBodyReader;
    private final Semaphore permits;
    private final Semaphore openBytes;
    private final WorkerExecutor workers;
    private final BiFunction<String, byte[], byte[]> answers;

    /**
     * Makes an endpoint.
     *
     * @param paths whether a path is one of its own
     * @param immediate whether the answer at a path needs neither time nor anything else
     * @param maxBody the maximum number of bytes of a body
     * @param maxOpenBytes the maximum number of bytes of all bodies that are read or answered at a time; more are sent away
     * @param workers answers at the other paths, on a thread each
     * @param maxAtOnce the maximum number of requests that are answered at a time; more are sent away
     * @param answers the body of the response to a path and a body
     */
    public PostEndpoint(
            Predicate<String> paths,
            Predicate<String> immediate,
            int maxBody,
            int maxOpenBytes,
            Duration bodyTimeout,
            WorkerExecutor workers,
            int maxAtOnce,
            BiFunction<String, byte[], byte[]> answers) {
        this.paths = paths;
        this.immediate = immediate;
        this.bodyReader = new RequestBodyReader(maxBody, bodyTimeout, null);
        this.immediateBodyReader = new RequestBodyReader(Math.min(maxBody, MAX_IMMEDIATE_BODY), bodyTimeout, null);
        this.openBytes = new Semaphore(maxOpenBytes);
        this.workers = workers;
        this.permits = new Semaphore(maxAtOnce);
        this.answers = answers;
    }

    /** Whether a request is for one of its paths. */
    boolean isFor(HttpServerRequest request) {
        return request.path() != null && paths.test(request.path());
    }

    /** Answers a request that is for one of its paths. */
    void handle(Vertx vertx, HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.POST)) {
            request.response().putHeader("Allow", "POST");
            new HttpErrorResponse(405, "method", "Only POST is allowed here.", "POST to this path")
                    .sendAndClose(request);
            return;
        }
        if (immediate.test(pathOf(request))) {
            answer(
                    request,
                    immediateBodyReader
                            .read(vertx, request)
                            .map(body -> answers.apply(pathOf(request), body.getBytes())));
            return;
        }
        if (!permits.tryAcquire()) {
            HttpErrorResponse.unavailable("overloaded", "Too many requests are open.", "try again")
                    .sendAndClose(request);
            return;
        }
        answer(
                request,
                bodyReader
                        .read(vertx, request, openBytes)
                        .compose(body -> workers.executeBlocking(
                                        () -> answers.apply(pathOf(request), body.getBytes()), false)
                                .onComplete(done -> openBytes.release(body.length())))
                        .onComplete(done -> permits.release())
                        .map(Objects::requireNonNull));
    }

    private static void answer(HttpServerRequest request, Future<byte[]> answer) {
        answer.onSuccess(body -> request.response()
                        .putHeader("Content-Type", JsonResponseWriter.TYPE)
                        .end(Buffer.buffer(body)))
                .onFailure(failure -> describe(failure).sendAndClose(request));
    }

    private static String pathOf(HttpServerRequest request) {
        return Objects.requireNonNull(request.path());
    }

    private static HttpErrorResponse describe(Throwable failure) {
        if (failure instanceof RejectedRequestException rejected) {
            return rejected.response();
        }
        LOG.atError().setCause(failure).log("request failed");
        return new HttpErrorResponse(
                500, "bug", "The server failed to answer the request because of a bug.", "see the server's log");
    }
}
