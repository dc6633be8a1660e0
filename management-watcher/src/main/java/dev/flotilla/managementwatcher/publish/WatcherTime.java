package dev.flotilla.managementwatcher.publish;

import java.util.concurrent.TimeUnit;

/** The two clocks of a process: one that people set, and one that nobody sets. Both in milliseconds. */
public interface WatcherTime {
    WatcherTime SYSTEM = new WatcherTime() {
        @Override
        public long clock() {
            return System.currentTimeMillis();
        }

        @Override
        public long ticks() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    };

    /** What the wall clock shows. */
    long clock();

    /** Goes on, whatever people do to the wall clock. */
    long ticks();
}
