package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ObjectKey;

/** An object as the watcher keeps it. */
public sealed interface ObjectView permits ClusterView, MachineView, OwnerView {
    ObjectKey key();

    String uid();

    /** The resource version: a later one of the same object is larger. */
    long version();

    ObjectAnnotations annotations();

    /** Returns the same view at another version. */
    ObjectView withVersion(long other);
}
