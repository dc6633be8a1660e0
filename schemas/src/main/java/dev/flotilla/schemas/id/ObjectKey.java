package dev.flotilla.schemas.id;

/** The key of a Kubernetes object in a site's management cluster that can have an upgrade annotation. */
public sealed interface ObjectKey extends EntityKey permits MachineKey, OwnerKey, ClusterKey {
    SiteId site();

    String namespace();

    String name();
}
