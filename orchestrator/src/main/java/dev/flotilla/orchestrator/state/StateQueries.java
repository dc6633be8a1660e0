package dev.flotilla.orchestrator.state;

import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Runs queries on the state. A query runs on the thread that owns the state, between two steps, so it must be short,
 * and its result must not refer to the state. The queue is bounded: when it is full, a query fails with
 * {@link QueryQueueFullException}.
 */
public interface StateQueries {
    /** Runs a query. The result arrives on any thread. */
    <T> Future<T> query(Function<StateView, T> query);
}
