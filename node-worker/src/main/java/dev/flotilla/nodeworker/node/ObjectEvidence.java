package dev.flotilla.nodeworker.node;

import java.util.List;

/**
 * What the objects show of a failure.
 *
 * @param nodeConditions current conditions of the Node, or why it cannot be read
 * @param leftBehind annotations and cordon that this attempt has set and not removed
 */
public record ObjectEvidence(List<String> nodeConditions, List<String> leftBehind) {}
