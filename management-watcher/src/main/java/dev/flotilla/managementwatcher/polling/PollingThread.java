package dev.flotilla.managementwatcher.polling;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Repeats an action on a thread of its own until it is closed. */
public final class PollingThread implements AutoCloseable {
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    private PollingThread(String name, Supplier<Duration> action) {
        this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(action));
    }

    /**
     * Starts with the action at once.
     *
     * @param action returns how long to wait before the next time
     */
    public static PollingThread start(String name, Supplier<Duration> action) {
        PollingThread polling = new PollingThread(name, action);
        polling.thread.start();
        return polling;
    }

    private void run(Supplier<Duration> action) {
        try {
            long pause = 0;
            while (!stopped.await(pause, TimeUnit.MILLISECONDS)) {
                pause = action.get().toMillis();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts the action and waits for its end, 2 s at most. */
    @Override
    public void close() {
        stopped.countDown();
        thread.interrupt();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
