package dev.flotilla.orchestrator.follow;

import dev.flotilla.runtime.process.ProcessClock;
import java.time.Duration;

/** Clocks that a test sets. */
public final class ManualLoopClock implements ProcessClock {
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

    /** Advances both clocks. */
    public void advance(Duration time) {
        wall += time.toMillis();
        nanos += time.toNanos();
    }

    /** Advances the wall clock only, as after a suspension or a manual change. */
    public void advanceWallClock(Duration ahead) {
        wall += ahead.toMillis();
    }
}
