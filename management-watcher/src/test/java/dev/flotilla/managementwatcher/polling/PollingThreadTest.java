package dev.flotilla.managementwatcher.polling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollingThreadTest {
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void repeatsTheActionUntilItIsClosed() throws InterruptedException {
        Semaphore ran = new Semaphore(0);
        PollingThread polling = PollingThread.start("test", () -> {
            runs.incrementAndGet();
            ran.release();
            return Duration.ofMillis(1);
        });
        assertThat(ran.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
        polling.close();
        int before = runs.get();
        ran.drainPermits();
        assertThat(ran.tryAcquire(1, 50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(runs).hasValue(before);
    }

    @Test
    void closingEndsALongPause() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Thread[] thread = new Thread[1];
        PollingThread polling = PollingThread.start("test", () -> {
            thread[0] = Thread.currentThread();
            ran.countDown();
            return Duration.ofDays(1);
        });
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        polling.close();
        assertThat(thread[0].isAlive()).isFalse();
    }
}
