package dev.flotilla.core.upgrade;

/**
 * Wall clock and monotonic clock, read together.
 *
 * @param wallMillis milliseconds since the epoch; the wall clock can be set
 * @param monotonicMillis milliseconds of a clock that never jumps; only differences are meaningful
 */
public record ClockReading(long wallMillis, long monotonicMillis) {}
