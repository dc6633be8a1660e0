package dev.flotilla.orchestrator.follow;

/** The clocks of this host. */
public interface LoopClock {
    /** Wall-clock time in milliseconds; may jump. */
    long wallMillis();

    /** Monotonic time in nanoseconds. */
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
