package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.BrokerClockEstimate;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.runtime.process.ProcessClock;

/**
 * A worker's clock, corrected by the times of the broker. Without it, a machine whose wall clock is behind would call
 * for a command whose lease has expired. A record is written right before each call, so the broker's time is fresh.
 */
final class BrokerAwareClock implements ProcessClock {
    private final ProcessClock own;
    /** Read on any thread. */
    private volatile BrokerClockEstimate broker = BrokerClockEstimate.UNKNOWN;

    BrokerAwareClock(ProcessClock own) {
        this.own = own;
    }

    /** Records the append time of a record. For the loop's thread. */
    void observeAppendTime(long at) {
        broker = broker.withAppend(at, own.monotonicMillis());
    }

    @Override
    public long wallMillis() {
        return broker.earliestWallMillis(own.wallMillis(), own.monotonicMillis());
    }

    @Override
    public long monotonicNanos() {
        return own.monotonicNanos();
    }

    /** Reads both clocks. */
    ClockReading readClocks() {
        return new ClockReading(wallMillis(), monotonicMillis());
    }
}
