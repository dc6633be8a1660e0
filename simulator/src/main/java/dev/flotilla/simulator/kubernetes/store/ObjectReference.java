package dev.flotilla.simulator.kubernetes.store;

/**
 * Which object.
 *
 * @param namespace empty where the resource has none
 */
public record ObjectReference(ApiResource resource, String namespace, String name) {

    /** By which the objects of a resource are sorted. */
    public String key() {
        return namespace + "/" + name;
    }
}
