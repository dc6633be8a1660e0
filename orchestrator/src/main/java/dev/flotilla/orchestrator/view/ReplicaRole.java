package dev.flotilla.orchestrator.view;

import java.util.Locale;

/** What this process is to the fleet. */
public enum ReplicaRole {
    /** It reads its tables, and does not know the fleet yet. */
    RESTORING,
    /** It knows what the leader knows, and decides nothing. */
    STANDBY,
    LEADER,
    /** It has read something that nobody must lead on. */
    REFUSING;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
