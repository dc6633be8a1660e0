package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.RedactedText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where objects are at an API server. Names come from objects, and stay names. */
public final class KubeApiPath {
    private static final int LONGEST_SHOWN = 100;

    private KubeApiPath() {}

    /** An object of the oldest group. */
    public static String coreObject(String namespace, String kinds, String name) {
        return "/api/v1/namespaces/" + segment(namespace) + "/" + kinds + "/" + segment(name);
    }

    /** All of a kind, of a namespace. */
    public static String coreObject(String namespace, String kinds) {
        return "/api/v1/namespaces/" + segment(namespace) + "/" + kinds;
    }

    /** An object without a namespace. */
    public static String clusterScopedObject(String kinds, String name) {
        return "/api/v1/" + kinds + "/" + segment(name);
    }

    /**
     * An object of a group.
     *
     * @param version with the group, such as {@code apps/v1}
     */
    public static String groupObject(String version, String namespace, String kinds, String name) {
        return groupObject(version, namespace, kinds) + "/" + segment(name);
    }

    /** All of a kind of a group, of a namespace. */
    public static String groupObject(String version, String namespace, String kinds) {
        return group(version) + "namespaces/" + segment(namespace) + "/" + kinds;
    }

    private static String group(String version) {
        int slash = version.indexOf('/');
        return "/apis/" + segment(version.substring(0, Math.max(0, slash))) + "/"
                + segment(version.substring(slash + 1)) + "/";
    }

    /** All of a kind of a group, of every namespace. */
    public static String listPath(String version, String kinds) {
        return group(version) + kinds;
    }

    /**
     * All of a kind, of one namespace or of all.
     *
     * @param version with the group, such as {@code apps/v1}; {@code v1} for the oldest
     * @param namespace null for all of them
     */
    public static String listPath(String version, @Nullable String namespace, String kinds) {
        int slash = version.indexOf('/');
        String root = slash < 0
                ? "/api/" + segment(version)
                : "/apis/" + segment(version.substring(0, slash)) + "/" + segment(version.substring(slash + 1));
        return root + (namespace == null ? "" : "/namespaces/" + segment(namespace)) + "/" + segment(kinds);
    }

    /** One value in a query. */
    public static String encodeQueryValue(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** An object names another by what is no name. */
    public static final class InvalidNameException extends IllegalArgumentException {
        InvalidNameException(String name) {
            super("no name of an object: '" + RedactedText.redact(name, LONGEST_SHOWN) + "'");
        }
    }

    private static String segment(String name) {
        if (name.isEmpty() || name.startsWith(".")) {
            throw new InvalidNameException(name);
        }
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
