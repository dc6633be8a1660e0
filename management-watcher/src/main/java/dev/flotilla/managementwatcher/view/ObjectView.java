package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ObjectKey;

/** An object that can have an upgrade annotation, as the watcher keeps it. */
public sealed interface ObjectView extends WatchedView permits ClusterView, MachineView, OwnerView {
    ObjectKey key();

    ObjectAnnotations annotations();

    /** Returns the same view at another version. */
    ObjectView withVersion(long other);
}
