package dev.flotilla.orchestrator.view;

import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Asks about the state. A question is asked on the thread that owns the state, between two steps, so it must be short; what
 * it returns must not refer to the state. There is room for so many: one more fails with {@link QueryQueueFullException}.
 */
public interface StateQueries {
    /** The answer, on whatever thread it comes. */
    <T> Future<T> query(Function<StateView, T> question);
}
