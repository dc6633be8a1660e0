package dev.flotilla.orchestrator.api.query;

import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateQueries;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Queries the state for the API: with a timeout, on a state that is restored and whose derived state is current, and
 * with the result on the caller's thread.
 */
public final class StateQueryClient {
    /** The timeout of a query. It is longer than the longest commit. */
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final StateQueries stateQueries;

    public StateQueryClient(Vertx vertx, StateQueries stateQueries) {
        this.vertx = vertx;
        this.stateQueries = stateQueries;
    }

    /** Queries a state that is completely restored. */
    public <T> Future<ApiResult<T>> query(Function<StateView, ApiResult<T>> query) {
        return queryEvenIfStale(view -> {
            if (view.replicaRole() == ReplicaRole.RESTORING) {
                return ApiResult.failed(HttpErrorResponse.unavailable(
                        "restoring",
                        "This replica is still restoring its tables.",
                        "try again, or ask another replica"));
            }
            view.state().refreshDerivedState(view.gates(), view.now());
            return query.apply(view);
        });
    }

    /** Queries a state that may not be completely restored. */
    public <T> Future<ApiResult<T>> queryEvenIfStale(Function<StateView, ApiResult<T>> query) {
        Context context = vertx.getOrCreateContext();
        Promise<ApiResult<T>> promise = Promise.promise();
        stateQueries
                .query(query)
                .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(outcome -> context.runOnContext(then -> {
                    if (outcome.succeeded()) {
                        promise.complete(outcome.result());
                    } else {
                        completeWithError(outcome.cause(), promise);
                    }
                }));
        return promise.future();
    }

    private static <T> void completeWithError(Throwable cause, Promise<ApiResult<T>> promise) {
        switch (cause) {
            case StateQueries.QueueFullException busy ->
                promise.complete(ApiResult.failed(HttpErrorResponse.unavailable(
                        "busy", "Too many queries are waiting.", "try again in a moment")));
            case TimeoutException late ->
                promise.complete(ApiResult.failed(HttpErrorResponse.unavailable(
                        "late", "The query took longer than " + TIMEOUT.toSeconds() + " s.", "try again")));
            default -> promise.fail(cause);
        }
    }
}
