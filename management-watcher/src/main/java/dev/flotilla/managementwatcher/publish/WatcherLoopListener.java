package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.SiteModeListener;
import dev.flotilla.managementwatcher.report.ObjectWriteListener;
import dev.flotilla.managementwatcher.view.WatchedKind;

/** Receives what the watcher's loop does. */
public interface WatcherLoopListener extends ObjectWriteListener, SiteModeListener {
    /** Records were written to the site's tables. */
    void rowsPublished(int records);

    /** The number of withheld removals is known or has changed. */
    void removalsWithheld(int machines);

    /**
     * The watcher became the writer or stopped writing, because another watcher writes or some objects cannot be read.
     */
    void writerStateChanged(boolean now);

    /** A list or watch failed. */
    void listFailed(WatchedKind watchedKind, String reason);

    /**
     * The resource versions of a kind decreased, because its store was restored from a backup. All its objects are
     * compared again.
     */
    void storeRestored(WatchedKind watchedKind, long known, long now);

    void kafkaFailed(String reason, String message);

    /** The management cluster is not the one that the site's heartbeat names. */
    void clusterIdentityChanged(String expected, String found);

    /** A bug has ended the loop. */
    void loopFailed(Throwable bug);
}
