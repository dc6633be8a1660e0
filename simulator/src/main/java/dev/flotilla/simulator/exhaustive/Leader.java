package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.StableHash;

/**
 * One orchestrator.
 *
 * @param memory the rows as it has decided them, those that are not committed yet included; of a leader only. It has read all that was committed
 */
record Leader(Phase phase, RowMap memory, int crashes) {
    static final Leader STANDBY = new Leader(Phase.STANDBY, RowMap.NONE, 0);

    /** Whoever has crashed is started again at once, which nobody sees. */
    enum Phase {
        STANDBY,
        LEADING
    }

    boolean leads() {
        return phase == Phase.LEADING;
    }

    Leader leading(RowMap rows) {
        return new Leader(Phase.LEADING, rows, crashes);
    }

    Leader standby() {
        return new Leader(Phase.STANDBY, RowMap.NONE, crashes);
    }

    Leader crashed() {
        return new Leader(Phase.STANDBY, RowMap.NONE, crashes + 1);
    }

    void addTo(StableHash stableHash) {
        stableHash.add(phase.name()).add(memory.hash()).add(crashes);
    }
}
