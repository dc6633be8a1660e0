package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.fleet.FleetState;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;

/** Questions for the thread that owns the state, asked by others. Bounded: what does not fit is told so at once. */
public final class Mailbox {
    private static final int MOST = 256;
    private static final long NANOS_AT_ONCE = 5_000_000;

    /** What a question may look at, and only while it is being answered. */
    public record Glimpse(FleetState state, Standing standing, Instant now) {}

    private final ArrayBlockingQueue<Consumer<Glimpse>> questions = new ArrayBlockingQueue<>(MOST);

    /** Returns false where too many wait already. */
    public boolean offer(Consumer<Glimpse> question) {
        return questions.offer(question);
    }

    /** Answers what waits, for a moment at the most. */
    void answer(Glimpse glimpse, TimeSource time) {
        long until = time.nanos() + NANOS_AT_ONCE;
        Consumer<Glimpse> question = questions.poll();
        while (question != null) {
            question.accept(glimpse);
            question = time.nanos() < until ? questions.poll() : null;
        }
    }
}
