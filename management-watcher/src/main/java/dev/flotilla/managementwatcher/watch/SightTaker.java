package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.Kind;

/** Takes what is seen, on the threads of those who see it. */
public interface SightTaker {
    /** Waits where too much waits already. */
    void take(Seen seen) throws InterruptedException;

    /** A kind is seen as it is now, and what comes will be. */
    void fine(Kind kind);

    /** Something could not be seen. It is tried again. */
    void trouble(Kind kind, String why);
}
