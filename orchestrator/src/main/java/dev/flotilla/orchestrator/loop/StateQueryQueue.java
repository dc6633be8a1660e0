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

/** Questions for the thread that owns the state, asked by others. Bounded: what does not fit is told so at once. */
public final class StateQueryQueue implements StateQueries {
    private static final int MOST = 256;
    private static final long NANOS_AT_ONCE = 5_000_000;

    private final GateChain gates;
    private volatile Runnable bell = () -> {};
    private final ArrayBlockingQueue<QueuedQuery<?>> questions = new ArrayBlockingQueue<>(MOST);

    public StateQueryQueue(GateChain gates) {
        this.gates = gates;
    }

    private record QueuedQuery<T>(Function<StateView, T> question, Promise<T> answer) {
        void put(StateView view) {
            try {
                answer.complete(question.apply(view));
            } catch (RuntimeException bug) {
                // Whoever asked is told; the thread that decides must not end by a question.
                answer.fail(bug);
            }
        }
    }

    @Override
    public <T> Future<T> query(Function<StateView, T> question) {
        Promise<T> answer = Promise.promise();
        if (!questions.offer(new QueuedQuery<>(question, answer))) {
            return Future.failedFuture(new QueryQueueFullException(MOST));
        }
        wakeUp();
        return answer.future();
    }

    /** Wakes the thread that answers. */
    void wakeUp() {
        bell.run();
    }

    /** What wakes the thread that answers; nothing needs to while it is awake all the time. */
    void setWakeUp(Runnable next) {
        bell = next;
    }

    boolean hasQueries() {
        return !questions.isEmpty();
    }

    /** Answers what waits, for a moment at the most. */
    void answerQueries(FleetState state, ReplicaRole replicaRole, Instant now, LoopClock time) {
        QueuedQuery<?> queuedQuery = questions.poll();
        if (queuedQuery == null) {
            return;
        }
        StateView view = new StateView(state, gates, replicaRole, now);
        long until = time.monotonicNanos() + NANOS_AT_ONCE;
        while (queuedQuery != null) {
            queuedQuery.put(view);
            queuedQuery = time.monotonicNanos() < until ? questions.poll() : null;
        }
    }
}
