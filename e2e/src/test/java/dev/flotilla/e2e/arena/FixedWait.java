package dev.flotilla.e2e.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Waits for a fixed time where there is no condition to wait for. */
public final class FixedWait {
    private FixedWait() {}

    public static void waitMillis(long millis) {
        CountDownLatch over = new CountDownLatch(1);
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            var unused = timer.schedule(over::countDown, millis, TimeUnit.MILLISECONDS);
            assertThat(over.await(2 * millis, TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
