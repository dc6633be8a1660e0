package dev.flotilla.nodeworker.upgrade;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the loop is to do: what others ask for, and what it asked itself to do later, in the order in which it falls due. What
 * is asked for is bounded by what is under way, a few things for each attempt.
 */
final class LoopTaskQueue {
    private final WorkerClock time;
    private final LinkedBlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();
    private final PriorityQueue<DelayedTask> waits =
            new PriorityQueue<>(Comparator.comparingLong(DelayedTask::at).thenComparingLong(DelayedTask::number));
    private long number;

    private record DelayedTask(long at, long number, Runnable action) {}

    LoopTaskQueue(WorkerClock time) {
        this.time = time;
    }

    /** For every thread. */
    void submit(Runnable action) {
        asked.add(action);
    }

    void schedule(long millis, Runnable action) {
        waits.add(new DelayedTask(time.monotonicMillis() + millis, number++, action));
    }

    /** How long there is nothing to do, in milliseconds, and at most so many. */
    long millisUntilNext(long most) {
        DelayedTask first = waits.peek();
        long due = first == null ? most : Math.min(most, first.at() - time.monotonicMillis());
        return asked.isEmpty() ? Math.max(0, due) : 0;
    }

    /** Sleeps until there may be something to do. */
    void waitForTask(long millis) {
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
    void runDueTasks() {
        for (@Nullable Runnable action = asked.poll(); action != null; action = asked.poll()) {
            action.run();
        }
        DelayedTask first = waits.peek();
        while (first != null && first.at() <= time.monotonicMillis()) {
            waits.remove();
            first.action().run();
            first = waits.peek();
        }
    }
}
