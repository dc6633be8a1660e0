package dev.flotilla.simulator.play;

import java.util.Locale;

/** What can be killed in a play. The labels are the same in options and in JSON. */
public enum Victim {
    /** The orchestrator that leads. */
    LEADER,
    /** One of a site's workers. */
    WORKER,
    /** A site's watcher. */
    WATCHER,
    /** The broker: nobody reaches the log until it is back. */
    BROKER;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
