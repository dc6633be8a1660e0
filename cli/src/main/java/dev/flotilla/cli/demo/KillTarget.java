package dev.flotilla.cli.demo;

import java.util.Locale;

/** Components that a demonstration can kill. Options and JSON use the same labels. */
enum KillTarget {
    /** The process of the leader. */
    LEADER,
    /** The process of the busiest site's worker. A new one is started in its place. */
    WORKER,
    /** The process of the busiest site's watcher. A new one is started in its place. */
    WATCHER,
    /** The process of the broker. It is started again with its data. */
    BROKER;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
