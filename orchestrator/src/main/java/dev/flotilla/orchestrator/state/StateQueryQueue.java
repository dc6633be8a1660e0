package dev.flotilla.orchestrator.state;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;

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
            return Future.failedFuture(new StateQueries.QueueFullException(CAPACITY));
        }
        wakeUp();
        return promise.future();
    }

    /** Wakes the thread that runs the queries. */
    public void wakeUp() {
        wakeUp.run();
    }

    /** Sets what wakes the thread that runs the queries. */
    public void setWakeUp(Runnable next) {
        wakeUp = next;
    }

    public boolean hasQueries() {
        return !queries.isEmpty();
    }

    /** Runs queued queries, within a short time limit. */
    public void answerQueries(FleetState state, ReplicaRole replicaRole, Instant now, LongSupplier nanos) {
        QueuedQuery<?> queuedQuery = queries.poll();
        if (queuedQuery == null) {
            return;
        }
        StateView view = new StateView(state, gates, replicaRole, now);
        long until = nanos.getAsLong() + TIME_LIMIT_NANOS;
        while (queuedQuery != null) {
            queuedQuery.run(view);
            queuedQuery = nanos.getAsLong() < until ? queries.poll() : null;
        }
    }
}
