package dev.flotilla.orchestrator.api;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.Supplier;

/** Nobody waits long for what takes long: what has been found in a moment is told. */
record PartialResultTimer(Vertx vertx) {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    /** What there is to tell when all is done, or when the moment is over. */
    <T> Future<T> resultWithinTimeout(Future<Void> done, Supplier<T> found) {
        Promise<T> answer = Promise.promise();
        long timer = vertx.setTimer(MOMENT.toMillis(), late -> answer.tryComplete(found.get()));
        done.onComplete(ended -> {
            vertx.cancelTimer(timer);
            if (ended.succeeded()) {
                answer.tryComplete(found.get());
            } else {
                answer.tryFail(ended.cause());
            }
        });
        return answer.future();
    }
}
