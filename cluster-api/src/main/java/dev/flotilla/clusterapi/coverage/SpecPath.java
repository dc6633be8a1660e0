package dev.flotilla.clusterapi.coverage;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a field in a spec, such as {@code clusterConfiguration.featureGates}.
 *
 * @param names the names from the spec on; empty for the spec itself
 */
public record SpecPath(List<String> names) implements Comparable<SpecPath> {
    static final SpecPath ROOT = new SpecPath(List.of());

    public static final int MAX_LENGTH = 253;

    public SpecPath {
        names = List.copyOf(names);
    }

    /** Parses a path with dots between its names; null if it is none. */
    public static @Nullable SpecPath parse(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return null;
        }
        List<String> names = List.of(text.split("\\.", -1));
        return names.stream().allMatch(SpecPath::isName) ? new SpecPath(names) : null;
    }

    /** Parses a path that is valid. */
    public static SpecPath of(String text) {
        SpecPath path = parse(text);
        if (path == null) {
            throw new IllegalArgumentException("no path: " + text);
        }
        return path;
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && name.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '[' && c != ']' && c != '*' && c != '$');
    }

    SpecPath child(String name) {
        List<String> longer = new ArrayList<>(names);
        longer.add(name);
        return new SpecPath(longer);
    }

    /** Whether this is the path of a field or of one above it. */
    boolean isPrefixOf(SpecPath other) {
        return other.names.size() >= names.size()
                && other.names.subList(0, names.size()).equals(names);
    }

    @Override
    public int compareTo(SpecPath other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "(all)" : String.join(".", names);
    }
}
