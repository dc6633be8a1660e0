package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.mode.ModeListener;
import dev.flotilla.managementwatcher.report.ReportListener;
import dev.flotilla.managementwatcher.view.Kind;

/** Hears what the loop does. */
public interface WatcherListener extends ReportListener, ModeListener {
    /** So many records were written. */
    void published(int records);

    /** Machines are held back, or no longer. */
    void held(int machines);

    /** It writes, or does not: another does, or something cannot be seen. */
    void writes(boolean now);

    /** Something could not be seen of the API server. */
    void unseen(Kind kind, String why);

    /** The API server's versions went back: its store was restored from a backup. Everything of the kind is compared anew. */
    void setBack(Kind kind, long known, long now);

    void kafkaFailed(String reason, String why);

    /** The management cluster is another one than the site's was. */
    void otherCluster(String expected, String found);

    /** A bug has ended the loop. */
    void broke(Throwable bug);
}
