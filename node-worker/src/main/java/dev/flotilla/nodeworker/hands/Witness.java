package dev.flotilla.nodeworker.hands;

import java.util.List;

/**
 * What the objects show of a failure.
 *
 * @param node the conditions of the Node as it is now, or why it cannot be read
 * @param left what these hands have set and not undone
 */
public record Witness(List<String> node, List<String> left) {}
