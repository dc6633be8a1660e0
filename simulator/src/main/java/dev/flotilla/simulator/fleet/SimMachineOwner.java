package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object that owns machines of one cluster. Its fields change only through {@link SimFleet}, which notifies the
 * watchers.
 */
public final class SimMachineOwner {
    final OwnerKey key;
    final SimCluster cluster;
    boolean paused;
    boolean hold;

    @Nullable
    UpgradeTarget intent;

    SimMachineOwner(OwnerKey key, SimCluster cluster) {
        this.key = key;
        this.cluster = cluster;
    }

    /** Captures the object. Running the result restores it. */
    Runnable memento() {
        boolean savedPaused = paused;
        boolean savedHold = hold;
        UpgradeTarget savedIntent = intent;
        return () -> {
            paused = savedPaused;
            hold = savedHold;
            intent = savedIntent;
        };
    }

    public OwnerKey key() {
        return key;
    }

    public String uid() {
        return "uid-of-" + key;
    }

    public SimCluster cluster() {
        return cluster;
    }

    public @Nullable UpgradeTarget intent() {
        return intent;
    }

    public List<SimMachine> machines() {
        List<SimMachine> machines = new ArrayList<>(cluster.machines);
        machines.removeIf(machine -> machine.owner != this);
        return machines;
    }
}
