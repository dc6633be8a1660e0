package dev.flotilla.schemas.json.tree;

import java.util.Arrays;

/** The path of the value that is being read. It is a stack, so that the text of the path is built only on demand. */
public final class JsonPath {
    private static final int MAX_SHOWN = 300;

    private static final int INITIAL_DEPTH = 8;

    private Object[] steps = new Object[INITIAL_DEPTH];
    private int depth;

    public void enter(String name) {
        step(name);
    }

    public void enter(int index) {
        step(index);
    }

    private void step(Object to) {
        if (depth == steps.length) {
            steps = Arrays.copyOf(steps, 2 * depth);
        }
        steps[depth++] = to;
    }

    public void leave() {
        depth--;
    }

    public int depth() {
        return depth;
    }

    /** Returns the path, such as {@code spec.waves[0].name}; empty at the root. */
    @Override
    public String toString() {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            append(path, steps[i]);
        }
        return path.length() <= MAX_SHOWN ? path.toString() : RedactedText.truncate(path.toString(), MAX_SHOWN);
    }

    /** Returns the path of a member of the current value. */
    public String child(String name) {
        enter(name);
        String path = toString();
        leave();
        return path;
    }

    private static void append(StringBuilder path, Object step) {
        if (step instanceof Integer) {
            path.append('[').append(step).append(']');
        } else if (isPlain((String) step)) {
            path.append(path.isEmpty() ? "" : ".").append(step);
        } else {
            path.append("[\"").append(RedactedText.escape((String) step)).append("\"]");
        }
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && c != '_' && c != '-') {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
