package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.SiteModeListener;
import dev.flotilla.managementwatcher.report.ObjectWriteListener;
import dev.flotilla.managementwatcher.view.WatchedKind;

/** Hears what the loop does. */
public interface WatcherLoopListener extends ObjectWriteListener, SiteModeListener {
    /** So many records were written. */
    void rowsPublished(int records);

    /** Machines are held back, or no longer. */
    void removalsWithheld(int machines);

    /** It writes, or does not: another does, or something cannot be seen. */
    void writerStateChanged(boolean now);

    /** Something could not be seen of the API server. */
    void listFailed(WatchedKind watchedKind, String why);

    /** The API server's versions went back: its store was restored from a backup. Everything of the kind is compared anew. */
    void storeRestored(WatchedKind watchedKind, long known, long now);

    void kafkaFailed(String reason, String why);

    /** The management cluster is another one than the site's was. */
    void clusterIdentityChanged(String expected, String found);

    /** A bug has ended the loop. */
    void loopFailed(Throwable bug);
}
