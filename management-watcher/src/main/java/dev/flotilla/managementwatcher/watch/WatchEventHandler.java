package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.WatchedKind;

/** Receives what reflectors see, on their threads. */
public interface WatchEventHandler {
    /** Handles an event; blocks while too many events wait. */
    void handleEvent(WatchEvent watchEvent) throws InterruptedException;

    /** All objects of the kind are known, and a watch delivers their changes. */
    void kindInSync(WatchedKind watchedKind);

    /** The resource versions of a kind decreased: its store was restored from a backup. */
    void storeRestored(WatchedKind watchedKind, long known, long now) throws InterruptedException;

    /** A kind without which the site can be watched must not be listed. */
    void kindForbidden(WatchedKind watchedKind, String reason) throws InterruptedException;

    /** A list, a watch or an object could not be read. It is retried. */
    void readFailed(WatchedKind watchedKind, String reason);
}
