package dev.flotilla.core.procedure;

/**
 * What a worker knows of the broker's clock: a lower bound, by when the records were appended that it has read or written and by
 * the time that has passed since, which a clock that nobody sets measures.
 *
 * @param ahead how far the broker's clock is ahead of the ticks, at least
 */
public record BrokerClockEstimate(long ahead) {
    /** Of a broker of which nothing was read yet. */
    public static final BrokerClockEstimate UNKNOWN = new BrokerClockEstimate(Long.MIN_VALUE);

    /** Once it is known that a record was appended at an instant. */
    public BrokerClockEstimate withAppend(long at, long ticks) {
        return new BrokerClockEstimate(Math.max(ahead, at - ticks));
    }

    /** The earliest that it may be now, and never earlier than what this machine's own clock says. */
    public long notBefore(long own, long ticks) {
        return equals(UNKNOWN) ? own : Math.max(own, ticks + ahead);
    }
}
