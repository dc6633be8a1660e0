package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Cluster object with its machines. */
public final class SimCluster {
    private static final int THIRD = 3;

    final ClusterKey key;
    final String uid;
    final List<SimMachine> machines = new ArrayList<>();
    final Map<OwnerKey, SimMachineOwner> owners = new LinkedHashMap<>();
    Labels labels;
    boolean paused;
    boolean hold;

    @Nullable
    String timeZone;

    @Nullable
    UpgradeTarget intent;

    SimCluster(ClusterKey key, String uid, Labels labels) {
        this.key = key;
        this.uid = uid;
        this.labels = labels;
    }

    public ClusterKey key() {
        return key;
    }

    public String uid() {
        return uid;
    }

    public List<SimMachine> machines() {
        return Collections.unmodifiableList(machines);
    }

    public List<SimMachineOwner> owners() {
        return List.copyOf(owners.values());
    }

    public @Nullable UpgradeTarget intent() {
        return intent;
    }

    /** Sets the time zone that the Cluster's annotation names; null removes it. */
    public void locate(@Nullable String zone) {
        timeZone = zone;
    }

    public ClusterRow row() {
        return new ClusterRow(
                key, uid, labels, paused, hold, timeZone, count(MachineRole.CONTROL_PLANE), count(MachineRole.WORKER));
    }

    /** Captures the object, its owners and its list of machines. Running the result restores them. */
    Runnable memento() {
        List<SimMachine> savedMachines = List.copyOf(machines);
        Map<OwnerKey, SimMachineOwner> savedOwners = new LinkedHashMap<>(owners);
        List<Runnable> ownerMementos =
                owners.values().stream().map(SimMachineOwner::memento).toList();
        Labels savedLabels = labels;
        boolean savedPaused = paused;
        boolean savedHold = hold;
        String zone = timeZone;
        UpgradeTarget savedIntent = intent;
        return () -> {
            machines.clear();
            machines.addAll(savedMachines);
            owners.clear();
            owners.putAll(savedOwners);
            ownerMementos.forEach(Runnable::run);
            labels = savedLabels;
            paused = savedPaused;
            hold = savedHold;
            timeZone = zone;
            intent = savedIntent;
        };
    }

    /**
     * The owner of the next machine: the control plane, or the MachineDeployment of the workers. Every third worker
     * belongs to a stand-alone MachineSet.
     */
    SimMachineOwner ownerOfNext(MachineRole role) {
        boolean third = count(MachineRole.WORKER) % THIRD == THIRD - 1;
        return role == MachineRole.CONTROL_PLANE
                ? owner(OwnerKind.CONTROL_PLANE, key.name())
                : third
                        ? owner(OwnerKind.MACHINE_SET, key.name() + "-alone")
                        : owner(OwnerKind.MACHINE_DEPLOYMENT, key.name() + "-workers");
    }

    private SimMachineOwner owner(OwnerKind kind, String name) {
        return owners.computeIfAbsent(
                new OwnerKey(key.site(), kind, key.namespace(), name), absent -> new SimMachineOwner(absent, this));
    }

    private int count(MachineRole role) {
        int count = 0;
        for (SimMachine machine : machines) {
            count += machine.role() == role ? 1 : 0;
        }
        return count;
    }
}
