package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.view.Questions;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.orchestrator.view.TooManyQuestions;
import dev.flotilla.orchestrator.view.View;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Function;

/** Questions for the thread that owns the state, asked by others. Bounded: what does not fit is told so at once. */
public final class Mailbox implements Questions {
    private static final int MOST = 256;
    private static final long NANOS_AT_ONCE = 5_000_000;

    private final GateChain gates;
    private volatile Runnable bell = () -> {};
    private final ArrayBlockingQueue<Question<?>> questions = new ArrayBlockingQueue<>(MOST);

    public Mailbox(GateChain gates) {
        this.gates = gates;
    }

    private record Question<T>(Function<View, T> question, Promise<T> answer) {
        void put(View view) {
            try {
                answer.complete(question.apply(view));
            } catch (RuntimeException bug) {
                // Whoever asked is told; the thread that decides must not end by a question.
                answer.fail(bug);
            }
        }
    }

    @Override
    public <T> Future<T> ask(Function<View, T> question) {
        Promise<T> answer = Promise.promise();
        if (!questions.offer(new Question<>(question, answer))) {
            return Future.failedFuture(new TooManyQuestions(MOST));
        }
        ring();
        return answer.future();
    }

    /** Wakes the thread that answers. */
    void ring() {
        bell.run();
    }

    /** What wakes the thread that answers; nothing needs to while it is awake all the time. */
    void rings(Runnable next) {
        bell = next;
    }

    boolean hasQuestions() {
        return !questions.isEmpty();
    }

    /** Answers what waits, for a moment at the most. */
    void answer(FleetState state, Standing standing, Instant now, TimeSource time) {
        Question<?> question = questions.poll();
        if (question == null) {
            return;
        }
        View view = new View(state, gates, standing, now);
        long until = time.nanos() + NANOS_AT_ONCE;
        while (question != null) {
            question.put(view);
            question = time.nanos() < until ? questions.poll() : null;
        }
    }
}
