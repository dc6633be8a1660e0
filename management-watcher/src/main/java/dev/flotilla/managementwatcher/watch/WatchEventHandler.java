package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.WatchedKind;

/** Takes what is seen, on the threads of those who see it. */
public interface WatchEventHandler {
    /** Waits where too much waits already. */
    void handleEvent(WatchEvent watchEvent) throws InterruptedException;

    /** A kind is seen as it is now, and what comes will be. */
    void kindInSync(WatchedKind watchedKind);

    /** The API server's versions of a kind went back: its store was restored from a backup. */
    void storeRestored(WatchedKind watchedKind, long known, long now) throws InterruptedException;

    /** A kind may not be listed that the site can be watched without. */
    void kindForbidden(WatchedKind watchedKind, String why) throws InterruptedException;

    /** Something could not be seen. It is tried again. */
    void readFailed(WatchedKind watchedKind, String why);
}
