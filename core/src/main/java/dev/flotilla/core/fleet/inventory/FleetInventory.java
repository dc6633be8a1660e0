package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sites, clusters and machines, and the clusters changed since the last count. */
public final class FleetInventory {
    private final OpenedClusterTable opened = new OpenedClusterTable();
    private final MachineTable machines = new MachineTable();
    private final SortedMap<SiteId, SiteState> sites = new TreeMap<>();
    /** Sorted, so that a scan can continue from a position. */
    private final NavigableMap<ClusterKey, ClusterState> clusters = new TreeMap<>();

    /** The watcher's name of a restored heartbeat: it is not kept, but a row must have one. */
    private static final String UNKNOWN_WATCHER = "unknown";

    private final IntentStatusTable objects;
    private final Map<SiteId, ClusterState> placeholders = new LinkedHashMap<>();
    private final List<ClusterState> dirty = new ArrayList<>();

    /** The clusters in which machines that have left them have an open attempt, by the machine's row. */
    private final Map<Integer, ClusterState> departed = new LinkedHashMap<>();

    private int clusterCount;
    private int present;

    public FleetInventory(IntentStatusTable objects) {
        this.objects = objects;
    }

    public SiteState site(SiteId id) {
        return sites.computeIfAbsent(id, SiteState::new);
    }

    /** The last heartbeat of a site as a row that can be written; its time and watcher are not kept. */
    public @Nullable WatcherHeartbeat heartbeat(SiteId id) {
        SiteState site = sites.get(id);
        WatcherHeartbeat kept = site == null ? null : site.heartbeat();
        return kept == null
                ? null
                : new WatcherHeartbeat(
                        id,
                        kept.managementUid(),
                        UNKNOWN_WATCHER,
                        kept.sentAt(),
                        kept.withheldRemovals(),
                        kept.mode(),
                        null,
                        null);
    }

    public ClusterState cluster(ClusterKey key) {
        ClusterState known = clusters.get(key);
        if (known == null) {
            known = new ClusterState(clusterCount++, key, site(key.site()));
            clusters.put(key, known);
        }
        return known;
    }

    public ClusterState put(ClusterRow row) {
        ClusterState cluster = cluster(row.key());
        cluster.row = row;
        touch(cluster);
        return cluster;
    }

    /** Replaces the row of a cluster that a campaign has opened; null if it is not open. */
    public void putUpgrade(ClusterKey key, @Nullable ClusterUpgrade row) {
        ClusterState cluster = cluster(key);
        cluster.upgrade = row;
        if (row == null) {
            opened.remove(key);
        } else {
            opened.put(cluster);
        }
        touch(cluster);
    }

    public OpenedClusterTable opened() {
        return opened;
    }

    public ClusterState remove(ClusterKey key) {
        ClusterState cluster = cluster(key);
        cluster.row = null;
        touch(cluster);
        return cluster;
    }

    public int put(MachineRow value) {
        int row = machines.findOrAdd(value.key());
        machines.statuses().freeze(row);
        if (!machines.has(row, MachineTable.ROW)) {
            count(value.key().site(), 1);
        }
        machines.putRow(row, value);
        machines.statuses().compact(row);
        move(row, clusterOf(row, value));
        recordOwner(row, value.owner());
        touchChangedDuplicates();
        countWhereAdmitted(row);
        return row;
    }

    /** The machines of an owner, by key. */
    public List<MachineView> machinesOf(OwnerKey owner) {
        List<MachineView> found = new ArrayList<>();
        for (int number : machines.owners().numbersOf(owner)) {
            ClusterState cluster = machines.owners().homeOf(number);
            for (int i = 0; i < cluster.size(); i++) {
                if (machines.owner(cluster.member(i)) == number) {
                    found.add(new MachineView(machines, cluster.member(i)));
                }
            }
        }
        return found;
    }

    /** The cluster that a machine's row names, which hardly ever changes. */
    private ClusterState clusterOf(int row, MachineRow value) {
        ClusterState now = machines.cluster(row);
        return now != null && now.isFor(value.cluster()) ? now : cluster(value.clusterKey());
    }

    public void remove(MachineKey key) {
        int row = machines.find(key);
        if (row < 0) {
            return;
        }
        machines.statuses().freeze(row);
        if (machines.has(row, MachineTable.ROW)) {
            count(key.site(), -1);
        }
        machines.clearRow(row);
        touchChangedDuplicates();
        recordOwner(row, null);
        moveToPlaceholder(row, key.site());
        countWhereAdmitted(row);
    }

    /** Counts an open attempt in the cluster where it was admitted, even if its machine has left it. */
    private void countWhereAdmitted(int row) {
        UpgradeAttempt attempt = machines.statuses().attempt(row);
        AttemptMachineSnapshot admitted = attempt == null ? null : attempt.machine();
        ClusterState before = departed.get(row);
        ClusterState home = machines.cluster(row);
        ClusterState next = admitted == null || home == null || home.isFor(admitted.cluster())
                ? null
                : cluster(machines.clusterKey(row, admitted.cluster()));
        if (before == next) {
            return;
        }
        if (before != null) {
            departed.remove(row);
            before.removeDeparted(row);
            touch(before);
        }
        if (next != null) {
            departed.put(row, next);
            next.addDeparted(row);
            touch(next);
        }
    }

    public int put(MachineStatus value) {
        int row = machines.findOrAdd(value.key());
        MachineStatus before = machines.statuses().whole(row);
        machines.statuses().put(row, value);
        if (machines.cluster(row) == null) {
            moveToPlaceholder(row, value.key().site());
        }
        if (before == null || !isStep(before, value)) {
            touch(row);
            touchDuplicates(row);
            countWhereAdmitted(row);
        }
        return row;
    }

    /** Whether only the step of the open attempt has changed, which no count depends on. */
    private static boolean isStep(MachineStatus before, MachineStatus now) {
        UpgradeAttempt open = before.attempt();
        UpgradeAttempt still = now.attempt();
        return open != null
                && still != null
                && before.with(open.withState(still.state())).equals(now);
    }

    public void removeStatus(int row) {
        machines.statuses().clear(row);
        countWhereAdmitted(row);
        touch(row);
        touchDuplicates(row);
        forgetIfEmpty(row);
    }

    /** The part of an unreadable machine's row that still counts: the machine exists and is not ready. */
    public @Nullable MachineRow stub(MachineKey key) {
        int row = machines.find(key);
        ClusterState home = row < 0 ? null : machines.cluster(row);
        String name = home == null ? null : home.name();
        if (name == null || !machines.has(row, MachineTable.ROW)) {
            return null;
        }
        MachineRole role =
                machines.has(row, MachineTable.CONTROL_PLANE) ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
        boolean not = false;
        MachineRow stub = new MachineRow(
                key,
                machines.uids.get(row),
                name,
                machines.ownerOf(row),
                role,
                Labels.NONE,
                null,
                null,
                null,
                not,
                not,
                not,
                not,
                not,
                null,
                null,
                null,
                String.valueOf(machines.architecture(row)),
                List.of());
        return stub.withProvider(machines.rowProvider(row));
    }

    /** Marks a machine's inventory row as unreadable, or as readable again. */
    public void unreadable(MachineKey key, boolean is) {
        int row = is ? machines.findOrAdd(key) : machines.find(key);
        if (row < 0) {
            return;
        }
        machines.mark(row, MachineTable.UNREADABLE, is);
        if (machines.cluster(row) == null) {
            moveToPlaceholder(row, key.site());
        }
        touch(row);
        forgetIfEmpty(row);
    }

    /** Marks a cluster's inventory row as unreadable, or as readable again. */
    public void unreadable(ClusterKey key, boolean is) {
        ClusterState cluster = cluster(key);
        cluster.unreadable = is;
        touch(cluster);
    }

    public void touch(int row) {
        ClusterState cluster = machines.cluster(row);
        if (cluster != null) {
            touch(cluster);
        }
    }

    public void touch(ClusterState cluster) {
        if (!cluster.dirty) {
            cluster.dirty = true;
            dirty.add(cluster);
        }
    }

    public void touch(SiteState site) {
        for (ClusterState cluster : clusters.values()) {
            if (cluster.site() == site) {
                touch(cluster);
            }
        }
    }

    public void touchAll() {
        clusters.values().forEach(this::touch);
        placeholders.values().forEach(this::touch);
    }

    public void touchPlaceholder(SiteId site) {
        ClusterState cluster = placeholders.get(site);
        if (cluster != null) {
            touch(cluster);
        }
    }

    /** The clusters that hold the machines without an inventory row, one for each site. */
    public Collection<ClusterState> placeholderClusters() {
        return placeholders.values();
    }

    public @Nullable ClusterState nextTouched() {
        if (dirty.isEmpty()) {
            return null;
        }
        ClusterState next = dirty.remove(dirty.size() - 1);
        next.dirty = false;
        opened.noteChange(next);
        return next;
    }

    private void count(SiteId site, int change) {
        present += change;
        site(site).addMachines(change);
    }

    /** Records the owner of a machine. The former owner is counted again, even if no machine names it any more. */
    private void recordOwner(int row, MachineRow.@Nullable MachineOwner owner) {
        ClusterState home = machines.cluster(row);
        int before = machines.owner(row);
        if (!machines.owners().isOwner(before, home, owner)) {
            UpgradeIntent intent = machines.owners().intent(before);
            if (intent != null) {
                objects.touch(intent.object());
            }
            machines.owners().removeMachine(before);
            machines.owner(row, machines.owners().addMachine(home, owner));
        }
    }

    private void moveToPlaceholder(int row, SiteId site) {
        move(row, placeholders.computeIfAbsent(site, id -> new ClusterState(clusterCount++, null, site(id))));
        forgetIfEmpty(row);
    }

    private void move(int row, ClusterState to) {
        ClusterState from = machines.cluster(row);
        if (from != to) {
            if (from != null) {
                from.remove(row);
                touch(from);
            }
            to.add(row, machines::compareKeys);
            machines.cluster(row, to);
        }
        touch(to);
    }

    private void forgetIfEmpty(int row) {
        int any = MachineTable.ROW | MachineTable.STATUS | MachineTable.UNREADABLE;
        ClusterState home = machines.cluster(row);
        if (!machines.has(row, any) && home != null) {
            home.remove(row);
            machines.drop(row);
        }
    }

    private void touchChangedDuplicates() {
        machines.met.forEach(this::touch);
        machines.met.clear();
    }

    private void touchDuplicates(int row) {
        machines.providers.duplicatesOf(row).forEach(this::touch);
        machines.systems.duplicatesOf(row).forEach(this::touch);
    }

    public MachineTable machines() {
        return machines;
    }

    public SortedMap<SiteId, SiteState> sites() {
        return sites;
    }

    /** By key, so that a reader of one page after the other can go on where it was. */
    public NavigableMap<ClusterKey, ClusterState> clusters() {
        return clusters;
    }

    /** Machines that have an inventory row. */
    public int present() {
        return present;
    }
}
