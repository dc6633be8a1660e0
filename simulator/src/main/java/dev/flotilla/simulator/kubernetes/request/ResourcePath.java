package dev.flotilla.simulator.kubernetes.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path to objects, in its parts.
 *
 * @param namespace empty where the path names none
 * @param name empty where all objects are meant
 * @param subresource empty where the object itself is meant
 */
record ResourcePath(String group, String version, String namespace, String plural, String name, String subresource) {
    private static final String NAMESPACES = "namespaces";
    /** Below a namespace these are parts of itself and no resources. */
    private static final List<String> OF_A_NAMESPACE = List.of("status", "finalize");

    /** The parts of a path; null where it leads to no objects. */
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
                && !(group.isEmpty() && OF_A_NAMESPACE.contains(rest.get(2)));
        List<String> there = inside ? rest.subList(2, rest.size()) : rest;
        return new ResourcePath(
                group, version, inside ? rest.get(1) : "", there.get(0), part(there, 1), part(there, 2));
    }

    private static String part(List<String> parts, int at) {
        return at < parts.size() ? parts.get(at) : "";
    }
}
