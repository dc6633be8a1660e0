package dev.flotilla.managementwatcher.report;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Limits writes to a number per second, with a burst of one second's writes after a quiet time. All writes pause when
 * the API server asks for it.
 */
public final class WriteRateLimiter {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long nanosPerWrite;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private long nextWriteAt;

    /**
     * @param nanos monotonic clock in nanoseconds
     */
    public WriteRateLimiter(int perSecond, LongSupplier nanos) {
        this.nanosPerWrite = NANOS / perSecond;
        this.nanos = nanos;
        this.nextWriteAt = nanos.getAsLong() - NANOS;
    }

    /** Reserves the next write and returns how many nanoseconds to wait before it. */
    long acquirePermit() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            nextWriteAt = Math.max(nextWriteAt, now - NANOS) + nanosPerWrite;
            return Math.max(0, nextWriteAt - now);
        } finally {
            lock.unlock();
        }
    }

    /** Pauses all writes for some seconds. */
    void pauseWrites(long seconds) {
        lock.lock();
        try {
            nextWriteAt = Math.max(nextWriteAt, nanos.getAsLong() + seconds * NANOS);
        } finally {
            lock.unlock();
        }
    }
}
