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

    /** Where it says that it is; before anybody has looked at it. */
    public void locate(@Nullable String zone) {
        timeZone = zone;
    }

    public ClusterRow row() {
        return new ClusterRow(
                key, uid, labels, paused, hold, timeZone, count(MachineRole.CONTROL_PLANE), count(MachineRole.WORKER));
    }

    /** Makes the object, its owners and its list of machines again what they are now. */
    Runnable memento() {
        List<SimMachine> itsMachines = List.copyOf(machines);
        Map<OwnerKey, SimMachineOwner> itsOwners = new LinkedHashMap<>(owners);
        List<Runnable> ofOwners =
                owners.values().stream().map(SimMachineOwner::memento).toList();
        Labels itsLabels = labels;
        boolean wasPaused = paused;
        boolean wasOnHold = hold;
        String zone = timeZone;
        UpgradeTarget asked = intent;
        return () -> {
            machines.clear();
            machines.addAll(itsMachines);
            owners.clear();
            owners.putAll(itsOwners);
            ofOwners.forEach(Runnable::run);
            labels = itsLabels;
            paused = wasPaused;
            hold = wasOnHold;
            timeZone = zone;
            intent = asked;
        };
    }

    /**
     * The owner of one machine more: the control plane, or the deployment of the workers. Every third worker is in a MachineSet
     * that stands alone.
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
