package dev.flotilla.managementwatcher.publish;

import java.util.concurrent.TimeUnit;

/** Wall time and monotonic time of a process, both in milliseconds. */
public interface WatcherClock {
    WatcherClock SYSTEM = new WatcherClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    /** Returns the wall time. */
    long wallMillis();

    /** Returns a time that never jumps, also when the wall clock is set. */
    long monotonicMillis();
}
