package dev.flotilla.core.procedure;

/**
 * When something is signalled.
 *
 * @param clock milliseconds since the epoch, by a clock that people set
 * @param ticks milliseconds of a clock that nobody sets; only differences mean anything
 */
public record Moment(long clock, long ticks) {}
