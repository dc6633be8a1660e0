package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.SimNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All simulated sites. Their objects change only through this class, which notifies the watchers. */
public final class SimFleet {
    private final Map<SiteId, SimSite> sites = new LinkedHashMap<>();
    private final Map<SiteId, Consumer<ObjectKey>> watchers = new LinkedHashMap<>();
    private final Map<String, SimNode> nodes = new LinkedHashMap<>();
    private int nextUid = 1;

    public SimSite addSite(String name) {
        SimSite site = new SimSite(new SiteId(name));
        sites.put(site.id, site);
        return site;
    }

    public SimCluster addCluster(SimSite site, String name, Labels labels) {
        SimCluster cluster = new SimCluster(new ClusterKey(site.id, "fleet", name), uid(), labels);
        site.clusters.add(cluster);
        notifyWatcher(cluster.key);
        return cluster;
    }

    public SimMachine addMachine(
            SimSite site, SimCluster cluster, String name, MachineRole role, Labels labels, SimNode node) {
        return addMachine(site, cluster, name, uid(), role, labels, node);
    }

    public SimMachine addMachine(
            SimSite site, SimCluster cluster, String name, String uid, MachineRole role, Labels labels, SimNode node) {
        return add(
                site,
                new SimMachine(
                        new MachineKey(site.id, cluster.key.namespace(), name),
                        uid,
                        cluster.ownerOfNext(role),
                        role,
                        labels,
                        node));
    }

    /** Adds a machine to its owner. */
    public SimMachine addMachine(SimMachineOwner owner, String name, MachineRole role, Labels labels, SimNode node) {
        SimSite site = site(owner.key.site());
        return add(
                site,
                new SimMachine(new MachineKey(site.id, owner.key.namespace(), name), uid(), owner, role, labels, node));
    }

    private SimMachine add(SimSite site, SimMachine machine) {
        SimNode node = machine.node;
        machine.cluster.machines.stream().findFirst().ifPresent(sibling -> MachineProviderLabel.copy(sibling, machine));
        nodes.put(machine.uid, node);
        machine.cluster.machines.add(machine);
        site.machines.put(machine.key, machine);
        node.watch(() -> {
            if (machine.node == node) {
                notifyWatcher(machine.key);
            }
        });
        notifyWatcher(machine.key);
        notifyWatcher(machine.cluster.key);
        return machine;
    }

    /** Sets the listener for each object of a site that changes. */
    public void watch(SiteId site, Consumer<ObjectKey> watcher) {
        watchers.put(site, watcher);
    }

    public Collection<SimSite> sites() {
        return Collections.unmodifiableCollection(sites.values());
    }

    public SimSite site(SiteId id) {
        SimSite site = sites.get(id);
        if (site == null) {
            throw new IllegalArgumentException("no site " + id);
        }
        return site;
    }

    public @Nullable SimMachine machine(MachineKey key) {
        SimSite site = sites.get(key.site());
        return site == null ? null : site.machine(key);
    }

    public List<SimMachine> machines() {
        List<SimMachine> all = new ArrayList<>();
        for (SimSite site : sites.values()) {
            all.addAll(site.machines.values());
        }
        return all;
    }

    public List<SimCluster> clusters() {
        List<SimCluster> all = new ArrayList<>();
        for (SimSite site : sites.values()) {
            all.addAll(site.clusters);
        }
        return all;
    }

    public List<SimMachineOwner> owners() {
        List<SimMachineOwner> all = new ArrayList<>();
        for (SimSite site : sites.values()) {
            all.addAll(site.owners());
        }
        return all;
    }

    /** The node that a machine of this uid has or had. */
    public @Nullable SimNode node(String uid) {
        return nodes.get(uid);
    }

    /** Makes a site's API answer every request with an error from now on. */
    public void failApi(SiteId site) {
        site(site).apiFails = true;
    }

    public void remove(SimMachine machine) {
        machine.cluster.machines.remove(machine);
        site(machine.key.site()).machines.remove(machine.key, machine);
        notifyWatcher(machine.key);
        notifyWatcher(machine.cluster.key);
    }

    /** Removes an owner; its machines are removed separately. */
    public void remove(SimMachineOwner owner) {
        owner.cluster.owners.remove(owner.key);
        notifyWatcher(owner.key);
    }

    /** Replaces a machine: the same name, but another uid and another node. */
    public void replace(SimMachine machine, SimNode node) {
        machine.uid = uid();
        machine.node = node;
        nodes.put(machine.uid, node);
        machine.intent = null;
        node.watch(() -> {
            if (machine.node == node) {
                notifyWatcher(machine.key);
            }
        });
        notifyWatcher(machine.key);
    }

    /** Backs up the objects of a site. */
    public SiteObjectsBackup backUp(SiteId site) {
        return new SiteObjectsBackup(site(site));
    }

    /** Restores the objects of a site from a backup. */
    public void restore(SiteObjectsBackup backup) {
        backup.restore().forEach(this::notifyWatcher);
    }

    /** Reassigns a machine to another cluster of its site, where it has another owner. */
    public void moveToCluster(SimMachine machine, SimCluster to) {
        SimCluster from = machine.cluster;
        from.machines.remove(machine);
        machine.owner = to.ownerOfNext(machine.role);
        machine.cluster = to;
        to.machines.add(machine);
        notifyWatcher(machine.key);
        notifyWatcher(from.key);
        notifyWatcher(to.key);
    }

    /** Changes the role of a machine. */
    public void setRole(SimMachine machine, MachineRole role) {
        machine.role = role;
        notifyWatcher(machine.key);
        notifyWatcher(machine.cluster.key);
    }

    /**
     * Creates a machine object again, with a new uid, for the same node: a backup was restored, or the object was
     * moved.
     */
    public void recreate(SimMachine machine) {
        machine.uid = uid();
        machine.deleting = false;
        nodes.put(machine.uid, machine.node);
        notifyWatcher(machine.key);
    }

    public void setHold(SimMachine machine, boolean value) {
        machine.hold = value;
        notifyWatcher(machine.key);
    }

    public void setOptOut(SimMachine machine, boolean value) {
        machine.optOut = value;
        notifyWatcher(machine.key);
    }

    public void setPaused(SimMachine machine, boolean value) {
        machine.paused = value;
        notifyWatcher(machine.key);
    }

    public void delete(SimMachine machine) {
        machine.deleting = true;
        notifyWatcher(machine.key);
    }

    public void setForeign(SimMachine machine, boolean value) {
        machine.foreign = value;
        notifyWatcher(machine.key);
    }

    /** Sets what an owner does with its machine; null if nothing. */
    public void setOwnerActivity(SimMachine machine, @Nullable ForeignActivity foreignActivity) {
        machine.ownerActivity = foreignActivity;
        notifyWatcher(machine.key);
    }

    /** Sets whether a machine's node has yet to join its cluster. */
    public void setJoining(SimMachine machine, boolean value) {
        machine.joining = value;
        notifyWatcher(machine.key);
    }

    public void relabel(SimMachine machine, Labels labels) {
        machine.labels = MachineProviderLabel.keep(machine.labels, labels);
        notifyWatcher(machine.key);
    }

    /** Sets what really upgrades a machine, and what its site's watcher takes for its provider. */
    public void setProvider(SimMachine machine, UpgradeProvider provider, UpgradeProvider found) {
        machine.provider = provider;
        machine.foundProvider = found;
        machine.labels = MachineProviderLabel.label(machine.labels, provider);
        notifyWatcher(machine.key);
    }

    public void setIntent(SimMachine machine, @Nullable UpgradeTarget intent) {
        machine.intent = intent;
        notifyWatcher(machine.key);
    }

    public void setIntent(SimCluster cluster, @Nullable UpgradeTarget intent) {
        cluster.intent = intent;
        notifyWatcher(cluster.key);
    }

    public void setIntent(SimMachineOwner owner, @Nullable UpgradeTarget intent) {
        owner.intent = intent;
        notifyWatcher(owner.key);
    }

    public void setPaused(SimMachineOwner owner, boolean value) {
        owner.paused = value;
        owner.machines().forEach(machine -> notifyWatcher(machine.key));
    }

    public void setHold(SimMachineOwner owner, boolean value) {
        owner.hold = value;
        owner.machines().forEach(machine -> notifyWatcher(machine.key));
    }

    public void relabel(SimCluster cluster, Labels labels) {
        cluster.labels = labels;
        notifyWatcher(cluster.key);
    }

    public void setHold(SimCluster cluster, boolean value) {
        cluster.hold = value;
        notifyWatcher(cluster.key);
    }

    public void setPaused(SimCluster cluster, boolean value) {
        cluster.paused = value;
        notifyWatcher(cluster.key);
    }

    /** Clears every state that blocks a start: hold, pause, foreign, deletion, owner activity and joining. */
    public void clearBlockingStates(SimMachine machine) {
        machine.hold = false;
        machine.paused = false;
        machine.deleting = false;
        machine.foreign = false;
        machine.ownerActivity = null;
        machine.joining = false;
        notifyWatcher(machine.key);
    }

    private void notifyWatcher(ObjectKey key) {
        watchers.getOrDefault(key.site(), ignored -> {}).accept(key);
    }

    private String uid() {
        return "uid-" + nextUid++;
    }
}
