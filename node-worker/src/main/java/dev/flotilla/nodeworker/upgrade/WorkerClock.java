package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.ClockReading;
import java.util.concurrent.TimeUnit;

/** The clocks that a worker goes by. */
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

    /** Milliseconds since the epoch, by a clock that people set. */
    long wallMillis();

    /** Milliseconds of a clock that nobody sets. */
    long monotonicMillis();

    default ClockReading readClocks() {
        return new ClockReading(wallMillis(), monotonicMillis());
    }
}
