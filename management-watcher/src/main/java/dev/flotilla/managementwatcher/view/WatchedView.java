package dev.flotilla.managementwatcher.view;

/** A watched object as the watcher keeps it. */
public sealed interface WatchedView permits ObjectView, UpgradeTaskView {
    String uid();

    /** The resource version: a later one of the same object is larger. */
    long version();
}
