package dev.flotilla.nodeworker.node;

import java.util.List;

/**
 * What the objects show of a failure.
 *
 * @param nodeConditions the conditions of the Node as it is now, or why it cannot be read
 * @param leftBehind what these hands have set and not undone
 */
public record ObjectEvidence(List<String> nodeConditions, List<String> leftBehind) {}
