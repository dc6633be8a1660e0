package dev.flotilla.clusterapi.hook;

import java.util.Locale;

/** What a hook was answered. */
public enum HookOutcome {
    /** The handlers were named. */
    DISCOVERED,
    /** The change is made in place. */
    COVERED,
    /** The change is not covered, and Cluster API replaces the machines. */
    REPLACE,
    /** The change is not covered, and nothing is replaced. */
    STOP,
    /** The request or the settings cannot be followed. */
    INVALID,
    /** The update goes on, or waits. */
    IN_PROGRESS,
    /** The machine is at its target. */
    DONE,
    /** The update has failed. */
    FAILED;

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
