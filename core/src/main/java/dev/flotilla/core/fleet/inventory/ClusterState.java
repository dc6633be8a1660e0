package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntToLongMap;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster: its row, its machines, and what is counted over them whenever one is touched. Machines whose inventory row
 * is missing are kept together in one that has no name.
 */
public final class ClusterState {
    private static final int[] NOBODY = {};

    /** Numbered from zero in the order in which clusters appear. */
    private final int number;

    private final @Nullable ClusterKey key;
    private final SiteState site;

    /** Where each machine stands, of those that are nowhere: while tables are read a whole site may be. */
    private final @Nullable IntToLongMap places;

    private final long spread;

    @Nullable
    ClusterRow row;

    boolean unreadable;
    /** By key, but for those that are nowhere. */
    private int[] members = NOBODY;

    private int size;
    boolean dirty;
    private ClusterCounts counts = ClusterCounts.NONE;

    /**
     * Machines that are not members any more and whose attempt was admitted here: it counts here until it ends. In no order:
     * they are only counted.
     */
    private int[] departed = NOBODY;

    private int departedSize;

    /** What those in flight for an annotation are upgraded to. */
    List<UpgradeTarget> targets = List.of();

    /** Which revisions its machines show, where its site has annotations. */
    @Nullable
    KeyedCountPairs revisions;

    ClusterState(int number, @Nullable ClusterKey key, SiteState site) {
        this.number = number;
        this.key = key;
        this.site = site;
        this.places = key == null ? new IntToLongMap() : null;
        this.spread = key == null ? 0 : StableHash.of(key.toString());
    }

    public ClusterKey key() {
        if (key == null) {
            throw new IllegalStateException("machines of " + site.id() + " without an inventory row have no cluster");
        }
        return key;
    }

    /** Whether these are the machines that have no inventory row, and therefore no cluster. */
    public boolean isNowhere() {
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

    /** Its inventory row; null while it has not come. */
    public @Nullable ClusterRow row() {
        return row;
    }

    /** Whether its newest inventory row could not be read. */
    public boolean unreadable() {
        return unreadable;
    }

    /** Machines in flight, foreign ones and those that are not members any more included. */
    public int inFlight() {
        return counts.inFlight() + departed();
    }

    public int controlPlaneInFlight() {
        return counts.controlPlaneInFlight();
    }

    public int controlPlanes() {
        return counts.controlPlanes();
    }

    /** Control-plane machines that are not ready or cannot be read. */
    public int controlPlanesUnready() {
        return counts.controlPlanesUnready();
    }

    public int workers() {
        return counts.workers();
    }

    /** Workers that are not ready, cannot be read, or are in flight. */
    public int workersUnavailable() {
        return counts.workersUnavailable();
    }

    /** Until when nothing is started in it, since one of its machines has just succeeded: in milliseconds. */
    public long soakUntil() {
        return counts.soakUntil();
    }

    /** Machines that have an inventory row. */
    public int machines() {
        return counts.machineRows();
    }

    /** The counts of its members as they were last counted. */
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

    /** Its members. Those of a site that was written off count nowhere, whether this leader has read their rows or not. */
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
        if (places != null) {
            places.put(machine, place);
        } else {
            while (place > 0 && keyOrder.applyAsInt(members[place - 1], machine) > 0) {
                members[place] = members[place - 1];
                place--;
            }
        }
        members[place] = machine;
    }

    void remove(int machine) {
        if (places != null) {
            leave(places, machine);
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

    /** The last takes its place: those that are nowhere stand in no order. */
    private void leave(IntToLongMap places, int machine) {
        int place = (int) places.remove(machine);
        size--;
        if (place < size) {
            members[place] = members[size];
            places.put(members[place], place);
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
