package dev.flotilla.simulator.kubernetes.store;

/**
 * A kind of objects as an API serves it.
 *
 * @param group empty for the core
 * @param plural as it stands in paths
 */
public record ApiResource(String group, String version, String plural, String kind, boolean namespaced) {

    /** A resource of the core group. */
    static ApiResource core(String plural, String kind, boolean namespaced) {
        return new ApiResource("", "v1", plural, kind, namespaced);
    }

    /** What `apiVersion` says. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As messages and causes name it. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public ObjectReference named(String namespace, String name) {
        return new ObjectReference(this, namespace, name);
    }

    /** One that has no namespace. */
    public ObjectReference named(String name) {
        return new ObjectReference(this, "", name);
    }
}
