package dev.flotilla.orchestrator.api.query;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/** Limits the wait for a scan: after {@link #TIME_LIMIT} the partial result is returned. */
record PartialResultTimer(Vertx vertx) {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(1);

    /** The result when the scan is done, or the partial result when the time limit is reached. */
    <T> Future<T> resultWithinTimeout(Future<Void> done, Supplier<T> result) {
        Promise<T> promise = Promise.promise();
        long timer = vertx.setTimer(TIME_LIMIT.toMillis(), late -> promise.tryComplete(result.get()));
        done.onComplete(ended -> {
            vertx.cancelTimer(timer);
            if (ended.succeeded()) {
                promise.tryComplete(result.get());
            } else {
                promise.tryFail(ended.cause());
            }
        });
        return promise.future();
    }
}
