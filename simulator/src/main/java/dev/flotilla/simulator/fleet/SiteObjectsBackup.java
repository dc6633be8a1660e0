package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A backup of a management cluster's store: the objects of a site with their annotations. It contains neither the nodes
 * nor anything that controllers determine again.
 */
public final class SiteObjectsBackup {
    private final SimSite site;
    private final Map<MachineKey, SimMachine> machines;
    private final List<Runnable> mementos = new ArrayList<>();

    SiteObjectsBackup(SimSite site) {
        this.site = site;
        this.machines = new LinkedHashMap<>(site.machines);
        site.clusters.forEach(cluster -> mementos.add(cluster.memento()));
        machines.values().forEach(machine -> mementos.add(machine.memento()));
    }

    /** Restores the objects. Returns the keys of all objects that exist now or existed before. */
    Set<ObjectKey> restore() {
        Set<ObjectKey> touched = new LinkedHashSet<>(objects());
        mementos.forEach(Runnable::run);
        site.machines.clear();
        site.machines.putAll(machines);
        touched.addAll(objects());
        return touched;
    }

    private List<ObjectKey> objects() {
        List<ObjectKey> objects = new ArrayList<>();
        site.clusters.forEach(cluster -> objects.add(cluster.key));
        site.owners().forEach(owner -> objects.add(owner.key));
        objects.addAll(site.machines.keySet());
        return objects;
    }
}
