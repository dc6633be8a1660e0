package dev.flotilla.simulator.kubernetes.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a path to objects.
 *
 * @param namespace empty if the path names none
 * @param name empty for all objects
 * @param subresource empty for the object itself
 */
record ResourcePath(String group, String version, String namespace, String plural, String name, String subresource) {
    private static final String NAMESPACES = "namespaces";
    /** Subresources of a namespace, which are not resources within it. */
    private static final List<String> NAMESPACE_SUBRESOURCES = List.of("status", "finalize");

    /** Parses a path; null if it does not lead to objects. */
    static @Nullable ResourcePath parsePath(String path) {
        List<String> parts = List.of(path.substring(1).split("/", 0));
        if (parts.size() > 2 && parts.get(0).equals("api")) {
            return parsePath("", parts.get(1), parts.subList(2, parts.size()));
        }
        return parts.size() > 3 && parts.get(0).equals("apis")
                ? parsePath(parts.get(1), parts.get(2), parts.subList(3, parts.size()))
                : null;
    }

    private static ResourcePath parsePath(String group, String version, List<String> rest) {
        boolean inside = rest.size() > 2
                && rest.get(0).equals(NAMESPACES)
                && !(group.isEmpty() && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
        List<String> there = inside ? rest.subList(2, rest.size()) : rest;
        return new ResourcePath(
                group, version, inside ? rest.get(1) : "", there.get(0), part(there, 1), part(there, 2));
    }

    private static String part(List<String> parts, int at) {
        return at < parts.size() ? parts.get(at) : "";
    }
}
