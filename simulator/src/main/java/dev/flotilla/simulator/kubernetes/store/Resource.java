package dev.flotilla.simulator.kubernetes.store;

/**
 * A kind of objects as an API serves it.
 *
 * @param group empty for the core
 * @param plural as it stands in paths
 */
public record Resource(String group, String version, String plural, String kind, boolean namespaced) {

    /** A resource of the core group. */
    static Resource core(String plural, String kind, boolean namespaced) {
        return new Resource("", "v1", plural, kind, namespaced);
    }

    /** What `apiVersion` says. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** As messages and causes name it. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public ObjectRef named(String namespace, String name) {
        return new ObjectRef(this, namespace, name);
    }

    /** One that has no namespace. */
    public ObjectRef named(String name) {
        return new ObjectRef(this, "", name);
    }
}
