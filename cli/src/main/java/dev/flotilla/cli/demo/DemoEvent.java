package dev.flotilla.cli.demo;

/**
 * Something that a person who watches wants to read.
 *
 * @param kind the label of the decision, or {@code killed}, {@code recovered}
 * @param subject what it is about
 * @param detail more, or empty
 */
record DemoEvent(String kind, String subject, String detail) {}
