package dev.flotilla.core.procedure;

/**
 * When something is signalled.
 *
 * @param wallMillis milliseconds since the epoch, by a clock that people set
 * @param monotonicMillis milliseconds of a clock that nobody sets; only differences mean anything
 */
public record ClockReading(long wallMillis, long monotonicMillis) {}
