package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.BrokerClockEstimate;

/**
 * A worker's clocks, and what it knows of the log's. A machine whose clock is behind would else call for a command that has ended.
 * It writes a record right before each call; the time from there to the call counts as well.
 */
final class BrokerAwareClock implements WorkerClock {
    private final WorkerClock own;
    /** Read on any thread. */
    private volatile BrokerClockEstimate broker = BrokerClockEstimate.UNKNOWN;

    BrokerAwareClock(WorkerClock own) {
        this.own = own;
    }

    /** A record was appended at this instant. For the loop's thread. */
    void observeAppendTime(long at) {
        broker = broker.withAppend(at, own.monotonicMillis());
    }

    @Override
    public long wallMillis() {
        return broker.earliestWallMillis(own.wallMillis(), own.monotonicMillis());
    }

    @Override
    public long monotonicMillis() {
        return own.monotonicMillis();
    }
}
