package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.ClusterRow;
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

/** The sites, clusters and machines, and which clusters were touched since they were last counted. */
public final class FleetInventory {
    private final MachineTable machines = new MachineTable();
    private final SortedMap<SiteId, SiteState> sites = new TreeMap<>();
    /** Sorted, so that whoever reads the fleet piece by piece can go on where they were. */
    private final NavigableMap<ClusterKey, ClusterState> clusters = new TreeMap<>();

    /** A heartbeat's watcher is not kept, and a row has to name one. */
    private static final String NOBODY = "unknown";

    private final IntentStatusTable objects;
    private final Map<SiteId, ClusterState> nowhere = new LinkedHashMap<>();
    private final List<ClusterState> dirty = new ArrayList<>();

    /** The clusters in which machines that are no members of them have an open attempt, by the machine's row. */
    private final Map<Integer, ClusterState> departed = new LinkedHashMap<>();

    private int clusterCount;
    private int present;

    public FleetInventory(IntentStatusTable objects) {
        this.objects = objects;
    }

    public SiteState site(SiteId id) {
        return sites.computeIfAbsent(id, SiteState::new);
    }

    /** What a site's watcher said last, as a row that can be written: who said it when is not kept. */
    public @Nullable WatcherHeartbeat heartbeat(SiteId id) {
        SiteState site = sites.get(id);
        WatcherHeartbeat kept = site == null ? null : site.heartbeat();
        return kept == null
                ? null
                : new WatcherHeartbeat(
                        id,
                        kept.managementUid(),
                        NOBODY,
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
        machines.statuses().settle(row);
        move(row, home(row, value));
        own(row, value.owner());
        touchMet();
        countWhereAdmitted(row);
        return row;
    }

    /** The machines that name an owner: by key. */
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

    /** The cluster a row says the machine is in. Hardly any row says another than the one before. */
    private ClusterState home(int row, MachineRow value) {
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
        touchMet();
        own(row, null);
        homeless(row, key.site());
        countWhereAdmitted(row);
    }

    /** An open attempt counts in the cluster where it was admitted, also when its machine is no member of it any more. */
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
            homeless(row, value.key().site());
        }
        if (before == null || !isStep(before, value)) {
            touch(row);
            touchTwins(row);
            countWhereAdmitted(row);
        }
        return row;
    }

    /** Whether nothing is different but how far the open attempt is, which nothing is counted by. */
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
        touchTwins(row);
        forgetIfEmpty(row);
    }

    /** A machine's row as far as it still counts while its newest cannot be read: that it is there, and is not ready. */
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
        return new MachineRow(
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
    }

    /** Marks a machine as one whose inventory row cannot be read, or as readable again. */
    public void unreadable(MachineKey key, boolean is) {
        int row = is ? machines.findOrAdd(key) : machines.find(key);
        if (row < 0) {
            return;
        }
        machines.mark(row, MachineTable.UNREADABLE, is);
        if (machines.cluster(row) == null) {
            homeless(row, key.site());
        }
        touch(row);
        forgetIfEmpty(row);
    }

    /** Marks a cluster as one whose inventory row cannot be read, or as readable again. */
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
        nowhere.values().forEach(this::touch);
    }

    public void touchHomeless(SiteId site) {
        ClusterState cluster = nowhere.get(site);
        if (cluster != null) {
            touch(cluster);
        }
    }

    /** Of each site the machines that have no inventory row. */
    public Collection<ClusterState> homeless() {
        return nowhere.values();
    }

    public @Nullable ClusterState nextTouched() {
        if (dirty.isEmpty()) {
            return null;
        }
        ClusterState next = dirty.remove(dirty.size() - 1);
        next.dirty = false;
        return next;
    }

    private void count(SiteId site, int change) {
        present += change;
        site(site).addMachines(change);
    }

    /** A machine's row names this owner. Whoever it named before counts anew, also where nobody names that any more. */
    private void own(int row, MachineRow.@Nullable MachineOwner owner) {
        ClusterState home = machines.cluster(row);
        int before = machines.owner(row);
        if (!machines.owners().isOwner(before, home, owner)) {
            UpgradeIntent asked = machines.owners().intent(before);
            if (asked != null) {
                objects.touch(asked.object());
            }
            machines.owners().removeMachine(before);
            machines.owner(row, machines.owners().addMachine(home, owner));
        }
    }

    private void homeless(int row, SiteId site) {
        move(row, nowhere.computeIfAbsent(site, id -> new ClusterState(clusterCount++, null, site(id))));
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

    private void touchMet() {
        machines.met.forEach(this::touch);
        machines.met.clear();
    }

    private void touchTwins(int row) {
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
