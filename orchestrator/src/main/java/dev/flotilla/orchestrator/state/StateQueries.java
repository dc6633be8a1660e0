package dev.flotilla.orchestrator.state;

import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Runs queries on the state. A query runs on the thread that owns the state, between two steps, so it must be short,
 * and its result must not refer to the state. The queue is bounded: when it is full, a query fails with
 * {@link QueueFullException}.
 */
public interface StateQueries {
    /** Runs a query. The result arrives on any thread. */
    <T> Future<T> query(Function<StateView, T> query);

    /** The queue is full. The caller may retry later. */
    final class QueueFullException extends Exception {
        private static final long serialVersionUID = 1;

        public QueueFullException(int waiting) {
            super(waiting + " queries are waiting, which is the limit: retry later", null, false, false);
        }
    }
}
