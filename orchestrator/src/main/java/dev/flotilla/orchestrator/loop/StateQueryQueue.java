package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.view.QueryQueueFullException;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.orchestrator.view.StateQueries;
import dev.flotilla.orchestrator.view.StateView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;

/**
 * Queries for the thread that owns the state, from other threads. The queue is bounded: a query that does not fit fails
 * at once.
 */
public final class StateQueryQueue implements StateQueries {
    private static final int CAPACITY = 256;
    private static final long TIME_LIMIT_NANOS = 5_000_000;

    private final GateChain gates;
    private volatile Runnable wakeUp = () -> {};
    private final ArrayBlockingQueue<QueuedQuery<?>> queries = new ArrayBlockingQueue<>(CAPACITY);

    public StateQueryQueue(GateChain gates) {
        this.gates = gates;
    }

    private record QueuedQuery<T>(Function<StateView, T> query, Promise<T> promise) {
        void run(StateView view) {
            try {
                promise.complete(query.apply(view));
            } catch (RuntimeException bug) {
                // The caller gets the failure; a query must not end the deciding thread.
                promise.fail(bug);
            }
        }
    }

    @Override
    public <T> Future<T> query(Function<StateView, T> query) {
        Promise<T> promise = Promise.promise();
        if (!queries.offer(new QueuedQuery<>(query, promise))) {
            return Future.failedFuture(new QueryQueueFullException(CAPACITY));
        }
        wakeUp();
        return promise.future();
    }

    /** Wakes the thread that runs the queries. */
    void wakeUp() {
        wakeUp.run();
    }

    /** Sets what wakes the thread that runs the queries. */
    void setWakeUp(Runnable next) {
        wakeUp = next;
    }

    boolean hasQueries() {
        return !queries.isEmpty();
    }

    /** Runs queued queries, within a short time limit. */
    void answerQueries(FleetState state, ReplicaRole replicaRole, Instant now, LoopClock time) {
        QueuedQuery<?> queuedQuery = queries.poll();
        if (queuedQuery == null) {
            return;
        }
        StateView view = new StateView(state, gates, replicaRole, now);
        long until = time.monotonicNanos() + TIME_LIMIT_NANOS;
        while (queuedQuery != null) {
            queuedQuery.run(view);
            queuedQuery = time.monotonicNanos() < until ? queries.poll() : null;
        }
    }
}
