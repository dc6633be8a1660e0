package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.column.RowHashIndex;
import dev.flotilla.core.fleet.column.RowNumberAllocator;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The owners that machines name, and their intents. Each owner has a number for each cluster, and a machine stores only
 * that number. An owner that no machine names any more is forgotten.
 *
 * <p>An owner's machines are normally in one cluster. If rows say otherwise, the owner has a number in each cluster,
 * and its intent applies in all of them.
 */
public final class MachineOwnerTable extends RowHashIndex {
    /** The number for no owner. */
    public static final int NONE = 0;

    private final RowNumberAllocator numbers = new RowNumberAllocator(NONE + 1);
    private final ReferenceColumn<MachineRow.MachineOwner> owner = new ReferenceColumn<>();
    private final ReferenceColumn<ClusterState> home = new ReferenceColumn<>();
    private final ReferenceColumn<UpgradeIntent> intent = new ReferenceColumn<>();
    private final IntColumn machines = new IntColumn();

    /** Includes intents of owners that no machine names yet. */
    private final Map<OwnerKey, UpgradeIntent> intents = new LinkedHashMap<>();

    @Override
    public int hashOf(int number) {
        return hash(homeOf(number).key(), named(number));
    }

    /** Adds a machine of a cluster to an owner; returns the owner's number. */
    int addMachine(@Nullable ClusterState cluster, MachineRow.@Nullable MachineOwner named) {
        if (cluster == null || named == null) {
            return NONE;
        }
        int number = find(cluster, named);
        if (number == NONE) {
            number = add(cluster, named);
        }
        machines.set(number, machines.get(number) + 1);
        return number;
    }

    /** Removes a machine from an owner. */
    void removeMachine(int number) {
        if (number == NONE) {
            return;
        }
        int left = machines.get(number) - 1;
        machines.set(number, left);
        if (left == 0) {
            remove(number);
            owner.set(number, null);
            home.set(number, null);
            intent.set(number, null);
            numbers.release(number);
        }
    }

    /** Whether a number is that of this owner in this cluster. */
    boolean isOwner(int number, @Nullable ClusterState cluster, MachineRow.@Nullable MachineOwner named) {
        return named == null
                ? number == NONE
                : number != NONE && home.get(number) == cluster && named.equals(owner.get(number));
    }

    /** The owner of a number; null for no owner. */
    MachineRow.@Nullable MachineOwner get(int number) {
        return owner.get(number);
    }

    @Nullable
    OwnerKey key(int number) {
        return number == NONE ? null : keyOf(homeOf(number), named(number));
    }

    /** The owner's intent; null for none. */
    public @Nullable UpgradeIntent intent(int number) {
        return intent.get(number);
    }

    /** Sets the intent of an owner; returns the clusters with machines of it. */
    public List<ClusterState> setIntent(OwnerKey key, @Nullable UpgradeIntent intent) {
        if (intent == null) {
            intents.remove(key);
        } else {
            intents.put(key, intent);
        }
        List<ClusterState> clusters = new ArrayList<>(1);
        for (int number : numbersOf(key)) {
            this.intent.set(number, intent);
            clusters.add(homeOf(number));
        }
        return clusters;
    }

    /** The numbers of an owner: one for each cluster in which machines name it. */
    List<Integer> numbersOf(OwnerKey key) {
        List<Integer> found = new ArrayList<>(1);
        int hash = hash(key.site(), key.namespace(), key.kind(), key.name());
        for (int slot = start(hash); !isFree(slot); slot = next(slot)) {
            int number = row(slot);
            if (mayMatch(slot, hash) && key.equals(keyOf(homeOf(number), named(number)))) {
                found.add(number);
            }
        }
        found.sort(Comparator.comparing(number -> homeOf(number).key()));
        return found;
    }

    private int find(ClusterState cluster, MachineRow.MachineOwner named) {
        int hash = hash(cluster.key(), named);
        for (int slot = start(hash); !isFree(slot); slot = next(slot)) {
            if (mayMatch(slot, hash) && isOwner(row(slot), cluster, named)) {
                return row(slot);
            }
        }
        return NONE;
    }

    private int add(ClusterState cluster, MachineRow.MachineOwner named) {
        int number = numbers.allocate();
        owner.set(number, named);
        home.set(number, cluster);
        intent.set(number, intents.get(keyOf(cluster, named)));
        insert(number);
        return number;
    }

    ClusterState homeOf(int number) {
        ClusterState cluster = home.get(number);
        if (cluster == null) {
            throw new IllegalStateException("owner " + number + " has no machines");
        }
        return cluster;
    }

    private MachineRow.MachineOwner named(int number) {
        MachineRow.MachineOwner named = owner.get(number);
        if (named == null) {
            throw new IllegalStateException("owner " + number + " has no name");
        }
        return named;
    }

    private static OwnerKey keyOf(ClusterState cluster, MachineRow.MachineOwner named) {
        return new OwnerKey(cluster.site().id(), named.kind(), cluster.key().namespace(), named.name());
    }

    private static int hash(ClusterKey cluster, MachineRow.MachineOwner named) {
        return hash(cluster.site(), cluster.namespace(), named.kind(), named.name());
    }

    private static int hash(SiteId site, String namespace, OwnerKind kind, String name) {
        return Arrays.hashCode(new int[] {
            site.name().hashCode(), namespace.hashCode(), kind.label().hashCode(), name.hashCode()
        });
    }
}
