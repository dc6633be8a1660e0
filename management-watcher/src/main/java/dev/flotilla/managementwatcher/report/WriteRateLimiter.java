package dev.flotilla.managementwatcher.report;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** So many a second, and a few at once after a quiet time. An API server that asks for patience gets it from all. */
public final class WriteRateLimiter {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long each;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private long next;

    /**
     * A pace.
     *
     * @param nanos a clock that nobody sets
     */
    public WriteRateLimiter(int perSecond, LongSupplier nanos) {
        this.each = NANOS / perSecond;
        this.nanos = nanos;
        this.next = nanos.getAsLong() - NANOS;
    }

    /** How long the next one has to wait, in nanoseconds; it counts as made. */
    long acquirePermit() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            next = Math.max(next, now - NANOS) + each;
            return Math.max(0, next - now);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody for so long. */
    void pauseWrites(long seconds) {
        lock.lock();
        try {
            next = Math.max(next, nanos.getAsLong() + seconds * NANOS);
        } finally {
            lock.unlock();
        }
    }
}
