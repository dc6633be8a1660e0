package dev.flotilla.schemas.row;

import java.util.List;

/**
 * What a failed attempt leaves for whoever looks into it: at most {@link #MAX_LINES} lines of a kind, of {@link #MAX_LINE}
 * characters each, the newest last. No secret is in it.
 *
 * @param nodeConditions the conditions of the Node as they were seen last
 * @param k8sdExchanges the last exchanges with it, snapd's own errors among them
 * @param leftBehind what the attempt has left on objects and could not undo
 */
public record FailureEvidence(List<String> nodeConditions, List<String> k8sdExchanges, List<String> leftBehind) {
    public static final FailureEvidence NONE = new FailureEvidence(List.of(), List.of(), List.of());
    public static final int MAX_LINES = 8;
    public static final int MAX_LINE = 320;

    public FailureEvidence {
        nodeConditions = cut(nodeConditions);
        k8sdExchanges = cut(k8sdExchanges);
        leftBehind = cut(leftBehind);
    }

    private static List<String> cut(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()).stream()
                .map(line -> line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE))
                .toList();
    }

    /** Whether there is nothing to see. */
    public boolean isEmpty() {
        return nodeConditions.isEmpty() && k8sdExchanges.isEmpty() && leftBehind.isEmpty();
    }
}
