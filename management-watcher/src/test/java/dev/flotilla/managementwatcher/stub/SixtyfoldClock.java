package dev.flotilla.managementwatcher.stub;

import dev.flotilla.runtime.process.ProcessClock;

/** A clock that runs sixty times as fast. */
public final class SixtyfoldClock implements ProcessClock {
    @Override
    public long wallMillis() {
        return ProcessClock.SYSTEM.wallMillis();
    }

    @Override
    public long monotonicNanos() {
        return 60 * ProcessClock.SYSTEM.monotonicNanos();
    }
}
