package dev.flotilla.orchestrator.state;

import java.util.Locale;

/** The role of this replica in the fleet. */
public enum ReplicaRole {
    /** It restores its tables and does not know the state yet. */
    RESTORING,
    /** It knows the same state as the leader and decides nothing. */
    STANDBY,
    LEADER,
    /** It has read a record on which no replica must lead. */
    REFUSING;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
