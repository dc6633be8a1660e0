package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.RedactedText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Paths of objects at an API server. Names are validated and escaped, so that a name from an object cannot change the path. */
public final class KubeApiPath {
    private static final int MAX_SHOWN = 100;

    private KubeApiPath() {}

    /** Returns the path of an object of the core group. */
    public static String coreObject(String namespace, String kinds, String name) {
        return "/api/v1/namespaces/" + segment(namespace) + "/" + kinds + "/" + segment(name);
    }

    /** Returns the path of all objects of a kind of the core group in a namespace. */
    public static String coreObject(String namespace, String kinds) {
        return "/api/v1/namespaces/" + segment(namespace) + "/" + kinds;
    }

    /** Returns the path of a cluster-scoped object of the core group. */
    public static String clusterScopedObject(String kinds, String name) {
        return "/api/v1/" + kinds + "/" + segment(name);
    }

    /**
     * Returns the path of an object of a named group.
     *
     * @param version the API version, such as {@code apps/v1}
     */
    public static String groupObject(String version, String namespace, String kinds, String name) {
        return groupObject(version, namespace, kinds) + "/" + segment(name);
    }

    /** Returns the path of all objects of a kind of a named group in a namespace. */
    public static String groupObject(String version, String namespace, String kinds) {
        return group(version) + "namespaces/" + segment(namespace) + "/" + kinds;
    }

    private static String group(String version) {
        int slash = version.indexOf('/');
        return "/apis/" + segment(version.substring(0, Math.max(0, slash))) + "/"
                + segment(version.substring(slash + 1)) + "/";
    }

    /** Returns the path of all objects of a kind of a named group in all namespaces. */
    public static String listPath(String version, String kinds) {
        return group(version) + kinds;
    }

    /**
     * Returns the path of all objects of a kind in one namespace or in all.
     *
     * @param version the API version, such as {@code apps/v1}; {@code v1} for the core group
     * @param namespace null for all namespaces
     */
    public static String listPath(String version, @Nullable String namespace, String kinds) {
        int slash = version.indexOf('/');
        String root = slash < 0
                ? "/api/" + segment(version)
                : "/apis/" + segment(version.substring(0, slash)) + "/" + segment(version.substring(slash + 1));
        return root + (namespace == null ? "" : "/namespaces/" + segment(namespace)) + "/" + segment(kinds);
    }

    /** Returns the path of an object in a namespace, or of one without. The version is as for a list. */
    public static String objectPath(String version, @Nullable String namespace, String kinds, String name) {
        return listPath(version, namespace, kinds) + "/" + segment(name);
    }

    /** Escapes the value of a query parameter. */
    public static String encodeQueryValue(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Thrown if an object refers to another by an invalid name. */
    public static final class InvalidNameException extends IllegalArgumentException {
        InvalidNameException(String name) {
            super("'" + RedactedText.redact(name, MAX_SHOWN) + "' is not a name of a Kubernetes object");
        }
    }

    private static String segment(String name) {
        if (name.isEmpty() || name.startsWith(".")) {
            throw new InvalidNameException(name);
        }
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
