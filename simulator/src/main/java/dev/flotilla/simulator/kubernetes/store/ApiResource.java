package dev.flotilla.simulator.kubernetes.store;

/**
 * A resource type as an API serves it.
 *
 * @param group empty for the core group
 * @param plural the name in paths
 */
public record ApiResource(String group, String version, String plural, String kind, boolean namespaced) {

    /** A resource of the core group. */
    static ApiResource core(String plural, String kind, boolean namespaced) {
        return new ApiResource("", "v1", plural, kind, namespaced);
    }

    /** The value of `apiVersion`. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The name in messages and causes. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public ObjectReference named(String namespace, String name) {
        return new ObjectReference(this, namespace, name);
    }

    /** A reference to a cluster-scoped object. */
    public ObjectReference named(String name) {
        return new ObjectReference(this, "", name);
    }
}
