package dev.flotilla.schemas.id;

/** A Kubernetes object in a site's management cluster that can be asked to upgrade. */
public sealed interface ObjectKey extends EntityKey permits MachineKey, OwnerKey, ClusterKey {
    SiteId site();

    String namespace();

    String name();
}
