package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntToLongMap;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster: its row, its machines, and the counts over them. Machines without an inventory row are kept together in a
 * cluster without a name.
 */
public final class ClusterState {
    private static final int[] NO_MEMBERS = {};

    /** The number of the cluster, from zero in the order of appearance. */
    private final int number;

    private final @Nullable ClusterKey key;
    private final SiteState site;

    /** Positions of the members of the nameless cluster, which may hold a whole site while tables are read. */
    private final @Nullable IntToLongMap positions;

    private final long spread;

    @Nullable
    ClusterRow row;

    @Nullable
    ClusterUpgrade upgrade;

    boolean unreadable;
    /** Sorted by key, except in the nameless cluster. */
    private int[] members = NO_MEMBERS;

    private int size;
    boolean dirty;
    private ClusterCounts counts = ClusterCounts.NONE;

    /**
     * Machines that have left the cluster and whose attempt was admitted here: the attempt counts here until it ends.
     * In no order.
     */
    private int[] departed = NO_MEMBERS;

    private int departedSize;

    /** The targets of machines in flight for intents. */
    List<UpgradeTarget> targets = List.of();

    /** The revisions that its machines show, if its site has intents. */
    @Nullable
    KeyedCountPairs revisions;

    ClusterState(int number, @Nullable ClusterKey key, SiteState site) {
        this.number = number;
        this.key = key;
        this.site = site;
        this.positions = key == null ? new IntToLongMap() : null;
        this.spread = key == null ? 0 : StableHash.of(key.toString());
    }

    public ClusterKey key() {
        if (key == null) {
            throw new IllegalStateException("machines of " + site.id() + " without an inventory row have no cluster");
        }
        return key;
    }

    /** Whether it holds the machines of a site that have no inventory row. */
    public boolean isPlaceholder() {
        return key == null;
    }

    @Nullable
    String name() {
        return key == null ? null : key.name();
    }

    boolean isFor(String name) {
        return key != null && key.name().equals(name);
    }

    public SiteState site() {
        return site;
    }

    /** Its inventory row; null until it is received. */
    public @Nullable ClusterRow row() {
        return row;
    }

    /** Its row if a campaign has opened it; otherwise null. */
    public @Nullable ClusterUpgrade upgrade() {
        return upgrade;
    }

    /** Whether its newest inventory row is unreadable. */
    public boolean unreadable() {
        return unreadable;
    }

    /** Machines in flight, including foreign machines and departed members. */
    public int inFlight() {
        return counts.inFlight() + departed();
    }

    public int controlPlaneInFlight() {
        return counts.controlPlaneInFlight();
    }

    public int controlPlanes() {
        return counts.controlPlanes();
    }

    /** Control-plane machines that are not ready or unreadable. */
    public int controlPlanesUnready() {
        return counts.controlPlanesUnready();
    }

    public int workers() {
        return counts.workers();
    }

    /** Workers that are not ready, unreadable or in flight. */
    public int workersUnavailable() {
        return counts.workersUnavailable();
    }

    /** Until when the cluster soaks after a success, in milliseconds. */
    public long soakUntil() {
        return counts.soakUntil();
    }

    /** Machines that have an inventory row. */
    public int machines() {
        return counts.machineRows();
    }

    /** The members' counts as of the last count. */
    public ClusterCounts counts() {
        return counts;
    }

    public void recount(ClusterCounts now) {
        counts = now;
    }

    public int size() {
        return size;
    }

    public int member(int place) {
        return members[place];
    }

    /** The number of members that count; zero in a site that is written off, whether its rows were read or not. */
    public int counted() {
        return site.isWrittenOff() ? 0 : size;
    }

    public int departed() {
        return site.isWrittenOff() ? 0 : departedSize;
    }

    public int departed(int place) {
        return departed[place];
    }

    void addDeparted(int machine) {
        if (departedSize == departed.length) {
            departed = Arrays.copyOf(departed, departedSize + 1);
        }
        departed[departedSize++] = machine;
    }

    void removeDeparted(int machine) {
        int place = 0;
        while (departed[place] != machine) {
            place++;
        }
        departed[place] = departed[--departedSize];
    }

    void add(int machine, IntBinaryOperator keyOrder) {
        if (size == members.length) {
            members = Arrays.copyOf(members, Math.max(4, size + (size >> 1)));
        }
        int place = size++;
        if (positions != null) {
            positions.put(machine, place);
        } else {
            while (place > 0 && keyOrder.applyAsInt(members[place - 1], machine) > 0) {
                members[place] = members[place - 1];
                place--;
            }
        }
        members[place] = machine;
    }

    void remove(int machine) {
        if (positions != null) {
            removeUnordered(positions, machine);
            return;
        }
        int place = 0;
        while (members[place] != machine) {
            place++;
        }
        size--;
        for (; place < size; place++) {
            members[place] = members[place + 1];
        }
    }

    /** Removes a member by moving the last one to its position: the nameless cluster has no order. */
    private void removeUnordered(IntToLongMap positions, int machine) {
        int place = (int) positions.remove(machine);
        size--;
        if (place < size) {
            members[place] = members[size];
            positions.put(members[place], place);
        }
    }

    /** A hash of its key, by which clusters are put in an order that has nothing to do with their names. */
    public long spread() {
        return spread;
    }

    public int number() {
        return number;
    }
}
