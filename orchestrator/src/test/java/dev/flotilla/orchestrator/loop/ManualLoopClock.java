package dev.flotilla.orchestrator.loop;

import java.time.Duration;

/** Clocks that a test sets. */
final class ManualLoopClock implements LoopClock {
    private long wall = 1_772_323_200_000L;
    private long nanos = 7;

    @Override
    public long wallMillis() {
        return wall;
    }

    @Override
    public long monotonicNanos() {
        return nanos;
    }

    /** Time passes for both. */
    void pass(Duration time) {
        wall += time.toMillis();
        nanos += time.toNanos();
    }

    /** The calendar moves alone: the machine was suspended, or somebody set its clock. */
    void set(Duration ahead) {
        wall += ahead.toMillis();
    }
}
