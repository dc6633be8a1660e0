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
 * The store of a management cluster as it was at one time: the objects of a site with their annotations. The nodes are not in it, nor
 * what controllers find out anew by themselves.
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

    /** Puts it back, and says which objects there are or were. */
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
