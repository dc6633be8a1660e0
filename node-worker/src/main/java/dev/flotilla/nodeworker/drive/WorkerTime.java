package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.ClockReading;
import java.util.concurrent.TimeUnit;

/** The clocks that a worker goes by. */
public interface WorkerTime {
    WorkerTime SYSTEM = new WorkerTime() {
        @Override
        public long clock() {
            return System.currentTimeMillis();
        }

        @Override
        public long ticks() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    /** Milliseconds since the epoch, by a clock that people set. */
    long clock();

    /** Milliseconds of a clock that nobody sets. */
    long ticks();

    default ClockReading moment() {
        return new ClockReading(clock(), ticks());
    }
}
