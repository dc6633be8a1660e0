package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
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
 * All that is kept of a site's objects, and which of them somebody has to look at again. It is whole once each kind was listed
 * to its end; until then nothing can be said to be gone. Used by one thread.
 */
public final class SiteObjectCache {
    private final Map<MachineKey, MachineView> machines = new HashMap<>();
    private final Map<ClusterKey, ClusterView> clusters = new HashMap<>();
    private final Map<OwnerKey, OwnerView> owners = new HashMap<>();
    private final Map<OwnerKey, Set<MachineKey>> owned = new HashMap<>();
    private final Set<WatchedKind> completeList = EnumSet.noneOf(WatchedKind.class);
    private final Set<WatchedKind> markForbidden = EnumSet.noneOf(WatchedKind.class);
    private final Set<ObjectKey> touched = new LinkedHashSet<>();

    /** Machines that are gone after they were being deleted, until somebody has asked. */
    private final Set<ObjectKey> departed = new HashSet<>();

    /** Whether every kind was listed. */
    public boolean isComplete() {
        return completeList.size() == WatchedKind.values().length;
    }

    public Collection<MachineView> machines() {
        return machines.values();
    }

    public Collection<ClusterView> clusters() {
        return clusters.values();
    }

    public Collection<OwnerView> owners() {
        return owners.values();
    }

    /** What is kept of an object; null where there is none. */
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

    /** What owns a machine; null where nothing does, or nobody has seen it yet. */
    public @Nullable OwnerView ownerOf(MachineView machine) {
        OwnerKey owner = ownerKey(machine);
        return owner == null ? null : owners.get(owner);
    }

    private static @Nullable OwnerKey ownerKey(MachineView machine) {
        MachineRow.MachineOwner owner = machine.owner();
        return owner == null
                ? null
                : new OwnerKey(machine.key().site(), owner.kind(), machine.key().namespace(), owner.name());
    }

    /** The machines of an owner. */
    public List<MachineView> machinesOf(OwnerKey owner) {
        List<MachineView> found = new ArrayList<>();
        for (MachineKey key : owned.getOrDefault(owner, Set.of())) {
            MachineView machine = machines.get(key);
            if (machine != null) {
                found.add(machine);
            }
        }
        return found;
    }

    /** Of all that is known of an object the latest counts: a patch's answer may be here before its event. */
    public void put(ObjectView objectView) {
        put(objectView, objectView.version());
    }

    /**
     * The same of an object that was so at a version, which may be later than its own: it is how a list shows it. An older object
     * in a later list is one whose store was restored from a backup.
     */
    public void put(ObjectView objectView, long asOf) {
        ObjectView before = get(objectView.key());
        if (before != null && before.version() > objectView.version() && before.version() > asOf) {
            return;
        }
        departed.remove(objectView.key());
        switch (objectView) {
            case MachineView machine -> {
                disown(machines.put(machine.key(), machine));
                OwnerKey owner = ownerKey(machine);
                if (owner != null) {
                    owned.computeIfAbsent(owner, first -> new LinkedHashSet<>()).add(machine.key());
                }
            }
            case ClusterView cluster -> clusters.put(cluster.key(), cluster);
            case OwnerView owner -> owners.put(owner.key(), owner);
        }
        touch(before, objectView);
    }

    /** The store was restored from a backup: what comes is later than all that is known of a kind, whatever its versions. */
    public void resetVersions(WatchedKind watchedKind) {
        for (ObjectKey key : keys(watchedKind)) {
            switch (Objects.requireNonNull(get(key)).withVersion(0)) {
                case MachineView machine -> machines.put(machine.key(), machine);
                case ClusterView cluster -> clusters.put(cluster.key(), cluster);
                case OwnerView owner -> owners.put(owner.key(), owner);
            }
        }
    }

    /** It is gone, unless it was seen later than this. */
    public void remove(ObjectKey key, long version) {
        ObjectView before = get(key);
        if (before == null || before.version() > version) {
            return;
        }
        switch (key) {
            case MachineKey machine -> {
                if (isAnnounced((MachineView) before)) {
                    departed.add(machine);
                }
                disown(machines.remove(machine));
            }
            case ClusterKey cluster -> clusters.remove(cluster);
            case OwnerKey owner -> owners.remove(owner);
        }
        touch(before, null);
    }

    /** A Machine that is deleted says so until its host is gone, as does a Cluster until its Machines are. */
    private boolean isAnnounced(MachineView machine) {
        if (machine.deleting() || machine.cluster().isEmpty()) {
            return machine.deleting();
        }
        ClusterView cluster =
                clusters.get(new ClusterKey(machine.key().site(), machine.key().namespace(), machine.cluster()));
        return cluster != null && cluster.deleting();
    }

    /** Whether a machine that is gone was being deleted when it was seen last. It is forgotten by being asked for. */
    public boolean removeDeparted(MachineKey key) {
        return departed.remove(key);
    }

    private void disown(@Nullable MachineView machine) {
        OwnerKey owner = machine == null ? null : ownerKey(machine);
        Set<MachineKey> all = owner == null ? null : owned.get(owner);
        if (machine != null && all != null) {
            all.remove(machine.key());
            if (all.isEmpty()) {
                owned.remove(owner);
            }
        }
    }

    /** A kind was listed to its end: what was not in the list, and was not seen later, is gone. */
    public void completeList(WatchedKind watchedKind, Set<ObjectKey> there, long version) {
        for (ObjectKey key : keys(watchedKind)) {
            if (!there.contains(key)) {
                remove(key, version);
            }
        }
        completeList.add(watchedKind);
        markForbidden.remove(watchedKind);
    }

    /** A kind may not be listed, and never was: the rest can be judged without, and nothing of it is said to be gone. */
    public void markForbidden(WatchedKind watchedKind) {
        completeList.add(watchedKind);
        markForbidden.add(watchedKind);
    }

    /** Whether an object that is not here is gone, and not only hidden. */
    public boolean isAbsenceKnown(ObjectKey key) {
        return !markForbidden.contains(WatchedKind.kindOf(key));
    }

    private List<ObjectKey> keys(WatchedKind watchedKind) {
        return switch (watchedKind) {
            case MACHINES -> List.copyOf(machines.keySet());
            case CLUSTERS -> List.copyOf(clusters.keySet());
            case MACHINE_SETS, MACHINE_DEPLOYMENTS, MACHINE_POOLS, CONTROL_PLANES ->
                owners.keySet().stream()
                        .filter(key -> WatchedKind.kindOf(key) == watchedKind)
                        .map(ObjectKey.class::cast)
                        .toList();
        };
    }

    private void touch(@Nullable ObjectView before, @Nullable ObjectView after) {
        ObjectView any = after == null ? before : after;
        if (any == null || (before != null && after != null && isSame(before, after))) {
            return;
        }
        touched.add(any.key());
        switch (any) {
            case OwnerView owner -> {
                touched.add(new ClusterKey(
                        owner.key().site(), owner.key().namespace(), nameOr(owner.cluster(), owner.key())));
                if (owner.topLevel()) {
                    touched.addAll(owned.getOrDefault(owner.key(), Set.of()));
                }
            }
            case MachineView machine -> {
                if ((before == null || after == null) && !machine.cluster().isEmpty()) {
                    touched.add(
                            new ClusterKey(machine.key().site(), machine.key().namespace(), machine.cluster()));
                }
                OwnerKey owner = ownerKey(machine);
                if (owner != null
                        && owners.containsKey(owner)
                        && !release(before).equals(release(after))) {
                    touched.add(owner);
                }
            }
            case ClusterView cluster -> {
                if (isHeld(before) != isHeld(after)) {
                    touchAllOf(cluster.key());
                }
            }
        }
    }

    private static boolean isHeld(@Nullable ObjectView objectView) {
        return objectView instanceof ClusterView cluster && (cluster.hold() || cluster.paused());
    }

    /** What its objects wait for is another thing now. */
    private void touchAllOf(ClusterKey cluster) {
        machines.values().stream()
                .filter(machine -> machine.cluster().equals(cluster.name())
                        && machine.key().namespace().equals(cluster.namespace()))
                .forEach(machine -> touched.add(machine.key()));
        owners.values().stream()
                .filter(owner -> owner.cluster().equals(cluster.name())
                        && owner.key().namespace().equals(cluster.namespace()))
                .forEach(owner -> touched.add(owner.key()));
    }

    private static Optional<String> release(@Nullable ObjectView objectView) {
        // One that bears nothing, and one that is not there, are not the same to its owner.
        return objectView == null
                ? Optional.empty()
                : Optional.of(String.valueOf(objectView.notes().release()));
    }

    private static String nameOr(String cluster, OwnerKey owner) {
        return cluster.isEmpty() ? owner.name() : cluster;
    }

    /** Whether only the version is another: most of what API servers tell changes nothing here. */
    private static boolean isSame(ObjectView before, ObjectView after) {
        return before.withVersion(after.version()).equals(after);
    }

    /** Whether anything is to be looked at again. */
    public boolean hasChanged() {
        return !touched.isEmpty();
    }

    /** Takes what is to be looked at again. */
    public Set<ObjectKey> drainChanged() {
        Set<ObjectKey> taken = new LinkedHashSet<>(touched);
        touched.clear();
        return taken;
    }

    /** Everything is to be looked at again. */
    public void markAllChanged() {
        touched.addAll(clusters.keySet());
        touched.addAll(owners.keySet());
        touched.addAll(machines.keySet());
    }

    /** How many machines a cluster is meant to have, as its owners say it; of those without one, how many there are. */
    public int replicas(ClusterKey cluster, MachineRole role) {
        int replicas = 0;
        Set<OwnerKind> said = new HashSet<>();
        for (OwnerView owner : owners.values()) {
            boolean leads = owner.key().kind() == OwnerKind.CONTROL_PLANE;
            if (owner.topLevel()
                    && leads == (role == MachineRole.CONTROL_PLANE)
                    && owner.key().kind() != OwnerKind.MACHINE_POOL
                    && owner.cluster().equals(cluster.name())
                    && owner.key().namespace().equals(cluster.namespace())) {
                replicas += owner.replicas();
                said.add(owner.key().kind());
            }
        }
        return said.isEmpty() ? there(cluster, role) : replicas;
    }

    private int there(ClusterKey cluster, MachineRole role) {
        return (int) machines.values().stream()
                .filter(machine -> machine.role() == role
                        && machine.cluster().equals(cluster.name())
                        && machine.key().namespace().equals(cluster.namespace()))
                .count();
    }
}
