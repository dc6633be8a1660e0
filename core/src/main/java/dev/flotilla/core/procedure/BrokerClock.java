package dev.flotilla.core.procedure;

/**
 * What a worker knows of the broker's clock: a lower bound, by when the records were appended that it has read or written and by
 * the time that has passed since, which a clock that nobody sets measures.
 */
public final class BrokerClock {
    private static final long UNKNOWN = Long.MIN_VALUE;

    /** How far the broker's clock is ahead of the ticks, at least. Read on any thread. */
    private volatile long ahead = UNKNOWN;

    /** A record that was appended at one instant is known of by now. For one thread. */
    public void appended(long at, long ticks) {
        ahead = Math.max(ahead, at - ticks);
    }

    /** The earliest that it may be now, and never earlier than what this machine's own clock says. */
    public long notBefore(long own, long ticks) {
        return ahead == UNKNOWN ? own : Math.max(own, ticks + ahead);
    }
}
