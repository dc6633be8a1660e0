package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object that owns machines of one cluster. Fields change by {@link SimFleet} alone, which tells the watchers. */
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

    /** Makes the object again what it is now. */
    Runnable memento() {
        boolean wasPaused = paused;
        boolean wasOnHold = hold;
        UpgradeTarget asked = intent;
        return () -> {
            paused = wasPaused;
            hold = wasOnHold;
            intent = asked;
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
