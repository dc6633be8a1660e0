package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.runtime.process.ProcessClock;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of the loop: those that other threads submit, and those that it has scheduled itself, in the order in which
 * they are due. Their number is bounded by the attempts, with a few tasks each.
 */
final class LoopTaskQueue {
    private final ProcessClock clock;
    private final LinkedBlockingQueue<Runnable> submitted = new LinkedBlockingQueue<>();
    private final PriorityQueue<DelayedTask> delayed =
            new PriorityQueue<>(Comparator.comparingLong(DelayedTask::at).thenComparingLong(DelayedTask::number));
    private long number;

    private record DelayedTask(long at, long number, Runnable action) {}

    LoopTaskQueue(ProcessClock clock) {
        this.clock = clock;
    }

    /** Submits a task; may be called on any thread. */
    void submit(Runnable action) {
        submitted.add(action);
    }

    void schedule(long millis, Runnable action) {
        delayed.add(new DelayedTask(clock.monotonicMillis() + millis, number++, action));
    }

    /** Returns the milliseconds until the next task, at most {@code most}. */
    long millisUntilNext(long most) {
        DelayedTask first = delayed.peek();
        long due = first == null ? most : Math.min(most, first.at() - clock.monotonicMillis());
        return submitted.isEmpty() ? Math.max(0, due) : 0;
    }

    /** Waits for a submitted task and runs it. */
    void waitForTask(long millis) {
        try {
            Runnable next = submitted.poll(millis, TimeUnit.MILLISECONDS);
            if (next != null) {
                next.run();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs all tasks that were submitted or are due. */
    void runDueTasks() {
        for (@Nullable Runnable action = submitted.poll(); action != null; action = submitted.poll()) {
            action.run();
        }
        DelayedTask first = delayed.peek();
        while (first != null && first.at() <= clock.monotonicMillis()) {
            delayed.remove();
            first.action().run();
            first = delayed.peek();
        }
    }
}
