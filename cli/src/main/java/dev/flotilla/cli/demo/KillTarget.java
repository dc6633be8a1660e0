package dev.flotilla.cli.demo;

import java.util.Locale;

/** What can be killed in a demonstration. The labels are the same in options and in JSON. */
enum KillTarget {
    /** The orchestrator that leads: its process. */
    LEADER,
    /** The worker of the site that has most to do: its process. Another is started in its place. */
    WORKER,
    /** The watcher of the site that has most to do: its process. Another is started in its place. */
    WATCHER,
    /** The broker: its process. It is started again on its folder. */
    BROKER;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
