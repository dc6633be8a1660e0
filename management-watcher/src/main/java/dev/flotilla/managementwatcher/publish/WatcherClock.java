package dev.flotilla.managementwatcher.publish;

import java.util.concurrent.TimeUnit;

/** The two clocks of a process: one that people set, and one that nobody sets. Both in milliseconds. */
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

    /** What the wall clock shows. */
    long wallMillis();

    /** Goes on, whatever people do to the wall clock. */
    long monotonicMillis();
}
