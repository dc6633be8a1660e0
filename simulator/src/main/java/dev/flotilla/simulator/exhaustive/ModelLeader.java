package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.column.StableHash;

/**
 * One orchestrator in the model.
 *
 * @param decidedRows the rows of a leader as it has decided them, including uncommitted ones
 */
record ModelLeader(LeaderPhase phase, HashedRowMap decidedRows, int crashes) {
    static final ModelLeader STANDBY = new ModelLeader(LeaderPhase.STANDBY, HashedRowMap.NONE, 0);

    /** A crashed process restarts immediately as a standby. */
    enum LeaderPhase {
        STANDBY,
        LEADING
    }

    boolean isLeader() {
        return phase == LeaderPhase.LEADING;
    }

    ModelLeader leading(HashedRowMap rows) {
        return new ModelLeader(LeaderPhase.LEADING, rows, crashes);
    }

    ModelLeader standby() {
        return new ModelLeader(LeaderPhase.STANDBY, HashedRowMap.NONE, crashes);
    }

    ModelLeader crashed() {
        return new ModelLeader(LeaderPhase.STANDBY, HashedRowMap.NONE, crashes + 1);
    }

    void addTo(StableHash stableHash) {
        stableHash.add(phase.name()).add(decidedRows.hash()).add(crashes);
    }
}
