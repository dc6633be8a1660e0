package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A management cluster with the objects that it manages. */
public final class SimSite {
    final SiteId id;
    final List<SimCluster> clusters = new ArrayList<>();
    final Map<MachineKey, SimMachine> machines = new LinkedHashMap<>();
    boolean apiFails;

    SimSite(SiteId id) {
        this.id = id;
    }

    public SiteId id() {
        return id;
    }

    /** Whether its API answers every request with an error. */
    public boolean apiFails() {
        return apiFails;
    }

    public List<SimCluster> clusters() {
        return Collections.unmodifiableList(clusters);
    }

    public Collection<SimMachine> machines() {
        return Collections.unmodifiableCollection(machines.values());
    }

    public List<SimMachineOwner> owners() {
        List<SimMachineOwner> owners = new ArrayList<>();
        clusters.forEach(cluster -> owners.addAll(cluster.owners.values()));
        return owners;
    }

    public @Nullable SimMachine machine(MachineKey key) {
        return machines.get(key);
    }
}
