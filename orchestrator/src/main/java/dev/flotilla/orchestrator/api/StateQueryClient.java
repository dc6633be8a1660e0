package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.QueryQueueFullException;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.orchestrator.view.StateQueries;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Asks the state for the API: in time, of a state that is settled and complete, and answered on the asker's thread. */
final class StateQueryClient {
    /** Longer than the longest commit; whoever waits for more is better told so. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final StateQueries stateQueries;

    StateQueryClient(Vertx vertx, StateQueries stateQueries) {
        this.vertx = vertx;
        this.stateQueries = stateQueries;
    }

    /** Asks a state that is known as a whole. */
    <T> Future<ApiResult<T>> query(Function<StateView, ApiResult<T>> question) {
        return queryEvenIfStale(view -> {
            if (view.replicaRole() == ReplicaRole.RESTORING) {
                return ApiResult.none(HttpErrorResponse.unavailable(
                        "restoring", "This process is still reading its tables.", "ask again, or ask another replica"));
            }
            view.state().refreshDerivedState(view.gates(), view.now());
            return question.apply(view);
        });
    }

    /** Asks a state that may not be complete yet. */
    <T> Future<ApiResult<T>> queryEvenIfStale(Function<StateView, ApiResult<T>> question) {
        Context context = vertx.getOrCreateContext();
        Promise<ApiResult<T>> here = Promise.promise();
        stateQueries
                .query(question)
                .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(answered -> context.runOnContext(then -> {
                    if (answered.succeeded()) {
                        here.complete(answered.result());
                    } else {
                        refuse(answered.cause(), here);
                    }
                }));
        return here.future();
    }

    private static <T> void refuse(Throwable why, Promise<ApiResult<T>> here) {
        switch (why) {
            case QueryQueueFullException busy ->
                here.complete(ApiResult.none(HttpErrorResponse.unavailable(
                        "busy", "Too many questions are waiting for an answer.", "ask again in a moment")));
            case TimeoutException late ->
                here.complete(ApiResult.none(HttpErrorResponse.unavailable(
                        "late", "The question was not answered within " + PATIENCE.toSeconds() + " s.", "ask again")));
            default -> here.fail(why);
        }
    }
}
