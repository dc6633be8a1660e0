package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.ClockReading;
import java.util.concurrent.TimeUnit;

/** Wall time and monotonic time of a worker. */
public interface WorkerClock {
    WorkerClock SYSTEM = new WorkerClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    /** Returns the wall time in milliseconds since the epoch. */
    long wallMillis();

    /** Returns a time in milliseconds that never jumps. */
    long monotonicMillis();

    default ClockReading readClocks() {
        return new ClockReading(wallMillis(), monotonicMillis());
    }
}
