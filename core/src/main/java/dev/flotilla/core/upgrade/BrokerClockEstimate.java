package dev.flotilla.core.upgrade;

/**
 * A lower bound of the broker's clock: the append time of the records that a worker has read or written, plus the time
 * that has passed since on the monotonic clock.
 *
 * @param minOffsetMillis the minimum difference between the broker's clock and the monotonic clock, in milliseconds
 */
public record BrokerClockEstimate(long minOffsetMillis) {
    /** No record of the broker has been read yet. */
    public static final BrokerClockEstimate UNKNOWN = new BrokerClockEstimate(Long.MIN_VALUE);

    /** The estimate after a record that was appended at an instant, read at a monotonic time. */
    public BrokerClockEstimate withAppend(long appendedAt, long monotonicMillis) {
        return new BrokerClockEstimate(Math.max(minOffsetMillis, appendedAt - monotonicMillis));
    }

    /** The earliest possible time now, never before the worker's own clock. */
    public long earliestWallMillis(long ownWallMillis, long monotonicMillis) {
        return equals(UNKNOWN) ? ownWallMillis : Math.max(ownWallMillis, monotonicMillis + minOffsetMillis);
    }
}
