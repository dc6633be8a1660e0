package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.BrokerClockEstimate;

/**
 * A worker's clocks, and what it knows of the log's. A machine whose clock is behind would else call for a command that has ended.
 * It writes a record right before each call; the time from there to the call counts as well.
 */
final class LogClock implements WorkerTime {
    private final WorkerTime own;
    /** Read on any thread. */
    private volatile BrokerClockEstimate broker = BrokerClockEstimate.UNKNOWN;

    LogClock(WorkerTime own) {
        this.own = own;
    }

    /** A record was appended at this instant. For the loop's thread. */
    void appended(long at) {
        broker = broker.withAppend(at, own.ticks());
    }

    @Override
    public long clock() {
        return broker.notBefore(own.clock(), own.ticks());
    }

    @Override
    public long ticks() {
        return own.ticks();
    }
}
