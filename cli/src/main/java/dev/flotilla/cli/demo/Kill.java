package dev.flotilla.cli.demo;

/**
 * A kill.
 *
 * @param process what exactly was killed
 * @param at when, in milliseconds of the epoch
 * @param recovered when the next start (leader, broker), report (worker) or write (watcher) came; -1 for not yet
 */
record Kill(Victim what, String process, long at, long recovered) {
    Kill recovered(long when) {
        return new Kill(what, process, at, when);
    }

    boolean isOver() {
        return recovered >= 0;
    }

    double seconds() {
        return (recovered - at) / 1000.0;
    }
}
