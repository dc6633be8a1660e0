package dev.flotilla.nodeworker.drive;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the loop is to do: what others ask for, and what it asked itself to do later, in the order in which it falls due. What
 * is asked for is bounded by what is under way, a few things for each attempt.
 */
final class Agenda {
    private final WorkerTime time;
    private final LinkedBlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
    private final PriorityQueue<Wait> waits =
            new PriorityQueue<>(Comparator.comparingLong(Wait::at).thenComparingLong(Wait::number));
    private long number;

    private record Wait(long at, long number, Runnable action) {}

    Agenda(WorkerTime time) {
        this.time = time;
    }

    /** For every thread. */
    void ask(Runnable action) {
        asked.add(action);
    }

    void later(long millis, Runnable action) {
        waits.add(new Wait(time.ticks() + millis, number++, action));
    }

    /** How long there is nothing to do, in milliseconds, and at most so many. */
    long idle(long most) {
        Wait first = waits.peek();
        long due = first == null ? most : Math.min(most, first.at() - time.ticks());
        return asked.isEmpty() ? Math.max(0, due) : 0;
    }

    /** Sleeps until there may be something to do. */
    void sleep(long millis) {
        try {
            Runnable next = asked.poll(millis, TimeUnit.MILLISECONDS);
            if (next != null) {
                next.run();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does everything that is asked for or due. */
    void run() {
        for (@Nullable Runnable action = asked.poll(); action != null; action = asked.poll()) {
            action.run();
        }
        Wait first = waits.peek();
        while (first != null && first.at() <= time.ticks()) {
            waits.remove();
            first.action().run();
            first = waits.peek();
        }
    }
}
