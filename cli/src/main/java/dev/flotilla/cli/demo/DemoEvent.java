package dev.flotilla.cli.demo;

/**
 * An event that is shown to the user.
 *
 * @param kind label of the decision event, or {@code killed}, {@code recovered}
 * @param subject object of the event
 * @param detail more, or empty
 */
public record DemoEvent(String kind, String subject, String detail) {}
