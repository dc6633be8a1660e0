package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.VersionField;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a site that the watcher keeps, and which of them changed since they were last processed. The cache is
 * complete once every kind was listed completely; until then no object counts as deleted. Used by one thread.
 */
public final class SiteObjectCache {
    private final Map<MachineKey, MachineView> machines = new HashMap<>();
    private final Map<ClusterKey, ClusterView> clusters = new HashMap<>();
    private final Map<OwnerKey, OwnerView> owners = new HashMap<>();
    private final OwnedMachineIndex owned = new OwnedMachineIndex();
    private final ListedKinds listedKinds = new ListedKinds();
    private final Set<ObjectKey> changed = new LinkedHashSet<>();
    private final VersionFieldTable versionFields = new VersionFieldTable();
    private final UpgradeAnnotationTable upgradeAnnotations = new UpgradeAnnotationTable();

    /** Machines that were already being deleted when they disappeared, until their deletion is taken. */
    private final Set<ObjectKey> announcedDeletions = new HashSet<>();

    private final UpgradeTaskCache tasks = new UpgradeTaskCache();

    /**
     * Sets how upgrade annotations are read. If that is new, all are read again and all objects count as changed. Until
     * then there are none.
     *
     * @param rules what the policies allow in the site; null while that is not known
     */
    public void setAnnotationRules(SiteMode siteMode, @Nullable SiteAnnotationRules rules) {
        if (upgradeAnnotations.setRules(siteMode, rules)) {
            markAllChanged();
            changed.forEach(this::readUpgradeAnnotation);
        }
    }

    /**
     * Sets the version fields of all clusters.
     *
     * @param wereRead whether they were read from the API server; otherwise they are those of the published rows
     */
    public void setVersionFields(Map<ClusterKey, List<VersionField>> now, boolean wereRead) {
        changed.addAll(versionFields.replaceAll(now, wereRead, clusters.keySet()));
    }

    public VersionFieldTable versionFields() {
        return versionFields;
    }

    /** Returns the upgrade annotation of an object, which was read when the object changed; null for none. */
    public @Nullable UpgradeAnnotation upgradeAnnotation(ObjectKey key) {
        return upgradeAnnotations.get(key);
    }

    private void readUpgradeAnnotation(ObjectKey key) {
        ObjectView present = get(key);
        upgradeAnnotations.read(key, present, present instanceof MachineView machine ? ownerOf(machine) : null);
    }

    /** Whether every kind was listed completely. */
    public boolean isComplete() {
        return listedKinds.areComplete();
    }

    public Collection<MachineView> machines() {
        return machines.values();
    }

    /** Returns the view of an object; null for none. */
    public @Nullable ObjectView get(ObjectKey key) {
        return switch (key) {
            case MachineKey machine -> machines.get(machine);
            case ClusterKey cluster -> clusters.get(cluster);
            case OwnerKey owner -> owners.get(owner);
        };
    }

    public @Nullable MachineView machine(MachineKey key) {
        return machines.get(key);
    }

    /** Returns the owner of a machine; null if it has none, or the owner is not known yet. */
    public @Nullable OwnerView ownerOf(MachineView machine) {
        OwnerKey owner = OwnedMachineIndex.ownerOf(machine);
        return owner == null ? null : owners.get(owner);
    }

    /** Returns the machines of an owner. */
    public List<MachineView> machinesOf(OwnerKey owner) {
        List<MachineView> found = new ArrayList<>();
        for (MachineKey key : owned.machinesOf(owner)) {
            MachineView machine = machines.get(key);
            if (machine != null) {
                found.add(machine);
            }
        }
        return found;
    }

    /** The site's UpgradeTasks. */
    public UpgradeTaskCache tasks() {
        return tasks;
    }

    /** Returns what an UpgradeTask requests of a machine that belongs to it; null for nothing. */
    public @Nullable UpgradeTaskRequest taskRequest(MachineView machine) {
        UpgradeTaskView task = tasks.taskOf(machine);
        return task == null ? null : task.requestFor(machine);
    }

    /** Marks the machines of these tasks as changed: their tasks request something else. */
    private void markMachinesOf(Set<String> taskUids) {
        if (!taskUids.isEmpty()) {
            for (MachineView machine : machines.values()) {
                if (machine.task().uid() != null
                        && taskUids.contains(machine.task().uid())) {
                    changed.add(machine.key());
                }
            }
        }
    }

    /** Stores an object unless a later version is known: the response to a patch may arrive before its watch event. */
    public void put(WatchedView watchedView) {
        put(watchedView, watchedView.version());
    }

    /** Stores an object that had this content at a given version, such as that of a list. */
    public void put(WatchedView watchedView, long asOf) {
        switch (watchedView) {
            case ObjectView objectView -> putObject(objectView, asOf);
            case UpgradeTaskView task -> markMachinesOf(tasks.put(task, asOf));
        }
    }

    /** Removes an object, unless a later version of it is known. */
    public void remove(WatchedView watchedView) {
        switch (watchedView) {
            case ObjectView objectView -> remove(objectView.key(), objectView.version());
            case UpgradeTaskView task -> removeTask(task.key(), task.version());
        }
    }

    private void removeTask(NamespacedName key, long version) {
        String uid = tasks.remove(key, version);
        markMachinesOf(uid == null ? Set.of() : Set.of(uid));
    }

    /**
     * Stores an object that had this content at a given version, such as that of a list, which may be later than the
     * object's own. An older object in a later list comes from a store that was restored from a backup.
     */
    private void putObject(ObjectView objectView, long asOf) {
        ObjectView before = get(objectView.key());
        if (before != null && before.version() > objectView.version() && before.version() > asOf) {
            return;
        }
        announcedDeletions.remove(objectView.key());
        switch (objectView) {
            case MachineView machine -> owned.replace(machines.put(machine.key(), machine), machine);
            case ClusterView cluster -> clusters.put(cluster.key(), cluster);
            case OwnerView owner -> owners.put(owner.key(), owner);
        }
        markIfChanged(before, objectView);
    }

    /** Forgets the versions of a kind, whose store was restored from a backup: whatever is received next counts as newer. */
    public void resetVersions(WatchedKind watchedKind) {
        if (watchedKind == WatchedKind.UPGRADE_TASKS) {
            tasks.resetVersions();
        }
        for (ObjectKey key : keys(watchedKind)) {
            switch (Objects.requireNonNull(get(key)).withVersion(0)) {
                case MachineView machine -> machines.put(machine.key(), machine);
                case ClusterView cluster -> clusters.put(cluster.key(), cluster);
                case OwnerView owner -> owners.put(owner.key(), owner);
            }
        }
    }

    /** Removes an object, unless a later version of it is known. */
    public void remove(ObjectKey key, long version) {
        ObjectView before = get(key);
        if (before == null || before.version() > version) {
            return;
        }
        switch (key) {
            case MachineKey machine -> {
                if (isAnnounced((MachineView) before)) {
                    announcedDeletions.add(machine);
                }
                owned.replace(machines.remove(machine), null);
            }
            case ClusterKey cluster -> clusters.remove(cluster);
            case OwnerKey owner -> owners.remove(owner);
        }
        markIfChanged(before, null);
    }

    /**
     * Whether the deletion was visible before: a Machine has a deletion timestamp until its host is deleted, and so has
     * a Cluster until its Machines are.
     */
    private boolean isAnnounced(MachineView machine) {
        if (machine.deleting() || machine.cluster().isEmpty()) {
            return machine.deleting();
        }
        ClusterView cluster =
                clusters.get(new ClusterKey(machine.key().site(), machine.key().namespace(), machine.cluster()));
        return cluster != null && cluster.deleting();
    }

    /** Returns whether a deleted machine was already being deleted when it was last seen, and forgets that. */
    public boolean takeAnnouncedDeletion(MachineKey key) {
        return announcedDeletions.remove(key);
    }

    /** Marks a kind as completely listed. Objects that were not in the list, and not seen later, are removed. */
    public void completeList(WatchedKind watchedKind, Set<NamespacedName> listed, long version) {
        for (ObjectKey key : keys(watchedKind)) {
            if (!listed.contains(new NamespacedName(key.namespace(), key.name()))) {
                remove(key, version);
            }
        }
        if (watchedKind == WatchedKind.UPGRADE_TASKS) {
            tasks.tasks().stream()
                    .filter(task -> !listed.contains(task.key()))
                    .toList()
                    .forEach(task -> removeTask(task.key(), version));
        }
        listedKinds.markComplete(watchedKind);
    }

    /**
     * Marks a kind that must not be listed and never was. The cache can be complete without it, and none of its objects
     * counts as deleted.
     */
    public void markForbidden(WatchedKind watchedKind) {
        listedKinds.markForbidden(watchedKind);
    }

    /** Whether an object that is not in the cache was deleted, rather than hidden by missing permissions. */
    public boolean isAbsenceKnown(WatchedKind watchedKind) {
        return !listedKinds.isForbidden(watchedKind);
    }

    private List<ObjectKey> keys(WatchedKind watchedKind) {
        return switch (watchedKind) {
            case MACHINES -> List.copyOf(machines.keySet());
            case CLUSTERS -> List.copyOf(clusters.keySet());
            case UPGRADE_TASKS -> List.of();
            case MACHINE_SETS, MACHINE_DEPLOYMENTS, MACHINE_POOLS, CONTROL_PLANES ->
                owners.keySet().stream()
                        .filter(key -> WatchedKind.kindOf(key) == watchedKind)
                        .map(ObjectKey.class::cast)
                        .toList();
        };
    }

    private void markIfChanged(@Nullable ObjectView before, @Nullable ObjectView after) {
        ObjectView present = after == null ? before : after;
        if (present == null || (before != null && after != null && differsOnlyInVersion(before, after))) {
            return;
        }
        changed.add(present.key());
        readUpgradeAnnotation(present.key());
        switch (present) {
            case OwnerView owner -> {
                owned.machinesOf(owner.key()).forEach(this::readUpgradeAnnotation);
                changed.add(new ClusterKey(
                        owner.key().site(), owner.key().namespace(), clusterNameOf(owner.cluster(), owner.key())));
                if (owner.topLevel()) {
                    changed.addAll(owned.machinesOf(owner.key()));
                }
            }
            case MachineView machine -> {
                if ((before == null || after == null) && !machine.cluster().isEmpty()) {
                    changed.add(
                            new ClusterKey(machine.key().site(), machine.key().namespace(), machine.cluster()));
                }
                OwnerKey owner = OwnedMachineIndex.ownerOf(machine);
                if (owner != null
                        && owners.containsKey(owner)
                        && !release(before).equals(release(after))) {
                    changed.add(owner);
                }
            }
            case ClusterView cluster -> {
                if (isHeld(before) != isHeld(after)) {
                    markAllOfCluster(cluster.key());
                }
            }
        }
    }

    private static boolean isHeld(@Nullable ObjectView objectView) {
        return objectView instanceof ClusterView cluster && (cluster.hold() || cluster.paused());
    }

    /** Marks all objects of a cluster as changed, because what they wait for is another thing now. */
    private void markAllOfCluster(ClusterKey cluster) {
        machines.values().stream()
                .filter(machine -> machine.cluster().equals(cluster.name())
                        && machine.key().namespace().equals(cluster.namespace()))
                .forEach(machine -> changed.add(machine.key()));
        owners.values().stream()
                .filter(owner -> owner.cluster().equals(cluster.name())
                        && owner.key().namespace().equals(cluster.namespace()))
                .forEach(owner -> changed.add(owner.key()));
    }

    private static Optional<String> release(@Nullable ObjectView objectView) {
        // A machine without a release and a machine that does not exist are different to its owner.
        return objectView == null
                ? Optional.empty()
                : Optional.of(String.valueOf(objectView.annotations().release()));
    }

    private static String clusterNameOf(String cluster, OwnerKey owner) {
        return cluster.isEmpty() ? owner.name() : cluster;
    }

    /** Whether two views differ in nothing but the version; most updates change nothing that the watcher keeps. */
    private static boolean differsOnlyInVersion(ObjectView before, ObjectView after) {
        return before.withVersion(after.version()).equals(after);
    }

    /** Whether any object changed. */
    public boolean hasChanged() {
        return !changed.isEmpty();
    }

    /** Returns the changed objects and clears the set. */
    public Set<ObjectKey> drainChanged() {
        Set<ObjectKey> drained = new LinkedHashSet<>(changed);
        changed.clear();
        return drained;
    }

    /** Marks all objects as changed. */
    public void markAllChanged() {
        changed.addAll(clusters.keySet());
        changed.addAll(owners.keySet());
        changed.addAll(machines.keySet());
        tasks.markAllChanged();
    }

    /** Returns how many machines of a role a cluster should have: the replicas of its owners, without owners those that exist. */
    public int countReplicas(ClusterKey cluster, MachineRole role) {
        return ClusterReplicaCounter.countReplicas(cluster, role, owners.values(), machines.values());
    }
}
