package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.Kind;

/** Takes what is seen, on the threads of those who see it. */
public interface SightTaker {
    /** Waits where too much waits already. */
    void take(Seen seen) throws InterruptedException;

    /** A kind is seen as it is now, and what comes will be. */
    void fine(Kind kind);

    /** The API server's versions of a kind went back: its store was restored from a backup. */
    void setBack(Kind kind, long known, long now) throws InterruptedException;

    /** A kind may not be listed that the site can be watched without. */
    void hidden(Kind kind, String why) throws InterruptedException;

    /** Something could not be seen. It is tried again. */
    void trouble(Kind kind, String why);
}
