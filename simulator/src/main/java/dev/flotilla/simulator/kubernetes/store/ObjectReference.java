package dev.flotilla.simulator.kubernetes.store;

/**
 * Identifies an object.
 *
 * @param namespace empty for cluster-scoped resources
 */
public record ObjectReference(ApiResource resource, String namespace, String name) {

    /** The sort key among the objects of a resource. */
    public String key() {
        return namespace + "/" + name;
    }
}
