package dev.flotilla.orchestrator.loop;

/** The clocks of this machine. */
public interface LoopClock {
    /** Of the calendar, in milliseconds; may jump. */
    long wallMillis();

    /** Never goes back, in nanoseconds. */
    long monotonicNanos();

    LoopClock SYSTEM = new LoopClock() {
        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long monotonicNanos() {
            return System.nanoTime();
        }
    };
}
