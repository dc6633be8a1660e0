package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.StableHash;

/**
 * One orchestrator.
 *
 * @param decidedRows the rows as it has decided them, those that are not committed yet included; of a leader only. It has read all that was committed
 */
record ModelLeader(LeaderPhase phase, HashedRowMap decidedRows, int crashes) {
    static final ModelLeader STANDBY = new ModelLeader(LeaderPhase.STANDBY, HashedRowMap.NONE, 0);

    /** Whoever has crashed is started again at once, which nobody sees. */
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
