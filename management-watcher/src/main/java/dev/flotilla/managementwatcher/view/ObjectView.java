package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ObjectKey;

/** What is kept of an object. */
public sealed interface ObjectView permits ClusterView, MachineView, OwnerView {
    ObjectKey key();

    String uid();

    /** Its resource version: a later one of the same object is larger. */
    long version();

    ObjectAnnotations notes();

    /** The same at another version. */
    ObjectView withVersion(long other);
}
