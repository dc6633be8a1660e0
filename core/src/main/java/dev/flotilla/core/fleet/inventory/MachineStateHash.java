package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.LongColumn;
import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.row.MachineStatus;
import org.jspecify.annotations.Nullable;

/** The sum of all machines' hashes. It is kept from the first incremental query on; without one it costs nothing. */
public final class MachineStateHash {
    private final MachineTable machines;
    private @Nullable LongColumn known;

    MachineStateHash(MachineTable machines) {
        this.machines = machines;
    }

    /** Marks a machine as possibly changed. */
    void changed(int row) {
        if (known != null) {
            known.set(row, 0);
        }
    }

    /** Computes the hash from all machines. */
    public long all() {
        long sum = 0;
        for (int row = 0; row < machines.rows(); row++) {
            if (machines.holds(row)) {
                sum += digest(row);
            }
        }
        return sum;
    }

    /** Computes the hash from the machines changed since the last time. */
    public long quickly() {
        LongColumn column = known == null ? new LongColumn() : known;
        known = column;
        long sum = 0;
        for (int row = 0; row < machines.rows(); row++) {
            if (machines.holds(row)) {
                if (column.get(row) == 0) {
                    column.set(row, digest(row));
                }
                sum += column.get(row);
            }
        }
        return sum;
    }

    private long digest(int row) {
        StableHash stableHash =
                new StableHash().add(machines.key(row).toString()).add(machines.written(row));
        if (machines.has(row, MachineTable.ROW)) {
            ClusterState home = machines.cluster(row);
            stableHash
                    .add(machines.uids.get(row))
                    .add(home == null ? null : home.name())
                    .add(machines.labels(row).toString())
                    .add(machines.release(row))
                    .add(machines.architecture(row))
                    .add(machines.version(row))
                    .add(machines.revision(row))
                    .add(String.valueOf(machines.ownerOf(row)))
                    .add(machines.providers.digest(row))
                    .add(machines.systems.digest(row));
        }
        MachineStatus held = machines.statuses().get(row);
        return stableHash.add(held == null ? null : held.toString()).value();
    }
}
