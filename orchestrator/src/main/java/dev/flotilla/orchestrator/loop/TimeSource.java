package dev.flotilla.orchestrator.loop;

/** The clocks of this machine. */
public interface TimeSource {
    /** Of the calendar, in milliseconds; may jump. */
    long wall();

    /** Never goes back, in nanoseconds. */
    long nanos();

    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long wall() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    };
}
