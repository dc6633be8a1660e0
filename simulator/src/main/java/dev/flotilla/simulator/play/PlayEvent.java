package dev.flotilla.simulator.play;

/**
 * Something that a person who watches wants to read.
 *
 * @param at milliseconds since the world began
 * @param kind the label of the decision, or {@code killed}, {@code recovered}
 * @param subject what it is about
 * @param detail more, or empty
 */
public record PlayEvent(long at, String kind, String subject, String detail) {}
