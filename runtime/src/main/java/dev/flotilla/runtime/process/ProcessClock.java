package dev.flotilla.runtime.process;

import java.util.concurrent.TimeUnit;

/** Wall time and monotonic time of a process. */
public interface ProcessClock {
    ProcessClock SYSTEM = new ProcessClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicNanos() {
            return System.nanoTime();
        }
    };

    /** Returns the wall time in milliseconds since the epoch; it may jump. */
    long wallMillis();

    /** Returns a time in nanoseconds that never jumps; only differences are meaningful. */
    long monotonicNanos();

    /** Returns the monotonic time in milliseconds. */
    default long monotonicMillis() {
        return TimeUnit.NANOSECONDS.toMillis(monotonicNanos());
    }
}
