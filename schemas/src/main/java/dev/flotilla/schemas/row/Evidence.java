package dev.flotilla.schemas.row;

import java.util.List;

/**
 * What a failed attempt leaves for whoever looks into it: at most {@link #MAX_LINES} lines of a kind, of {@link #MAX_LINE}
 * characters each, the newest last. No secret is in it.
 *
 * @param node the conditions of the Node as they were seen last
 * @param k8sd the last exchanges with it, snapd's own errors among them
 * @param left what the attempt has left on objects and could not undo
 */
public record Evidence(List<String> node, List<String> k8sd, List<String> left) {
    public static final Evidence NONE = new Evidence(List.of(), List.of(), List.of());
    public static final int MAX_LINES = 8;
    public static final int MAX_LINE = 320;

    public Evidence {
        node = cut(node);
        k8sd = cut(k8sd);
        left = cut(left);
    }

    private static List<String> cut(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()).stream()
                .map(line -> line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE))
                .toList();
    }

    /** Whether there is nothing to see. */
    public boolean isEmpty() {
        return node.isEmpty() && k8sd.isEmpty() && left.isEmpty();
    }
}
