package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * The rows that watchers would write about a described fleet: every machine is ready, and has a node and its
 * identities.
 */
public final class VirtualInventoryRows {
    private static final int NUMBER_DIGITS = 8;

    private final List<Labels> labelSets;

    /** Assigns these label sets to the machines in turn. */
    public VirtualInventoryRows(List<Labels> labelSets) {
        this.labelSets = List.copyOf(labelSets);
    }

    public static VirtualInventoryRows plain() {
        return new VirtualInventoryRows(List.of(Labels.NONE));
    }

    public WatcherHeartbeat heartbeat(SiteId site, Instant time) {
        return new WatcherHeartbeat(site, uid(site.name().hashCode() >>> 1, 'h'), "watcher", time, 0);
    }

    public ClusterRow row(VirtualCluster cluster) {
        return new ClusterRow(
                cluster.key(),
                uid(cluster.first(), 'c'),
                cluster.labels(),
                false,
                false,
                null,
                cluster.controlPlanes(),
                cluster.workers());
    }

    public MachineRow row(VirtualCluster cluster, int place) {
        int number = cluster.first() + place;
        var key = cluster.machine(place);
        return new MachineRow(
                key,
                uid(number, 'm'),
                cluster.key().name(),
                owner(cluster, place),
                cluster.role(place),
                labelSets.get(number % labelSets.size()),
                key.name(),
                "openstack:///" + uid(number, 'p'),
                uid(number, 's'),
                true,
                false,
                false,
                false,
                false,
                null,
                null,
                "1000",
                "amd64",
                List.of());
    }

    /** The owner of a machine: the control plane with the cluster's name, or the only deployment. */
    private static MachineRow.MachineOwner owner(VirtualCluster cluster, int place) {
        String name = cluster.key().name();
        return cluster.role(place) == MachineRole.CONTROL_PLANE
                ? new MachineRow.MachineOwner(OwnerKind.CONTROL_PLANE, name)
                : new MachineRow.MachineOwner(OwnerKind.MACHINE_DEPLOYMENT, name + "-workers");
    }

    /** The number of the machine that one of these rows has given a uid to. */
    static int number(String uid) {
        return Integer.parseInt(uid, uid.length() - NUMBER_DIGITS, uid.length(), 16);
    }

    /** A random UUID that ends in a number. */
    private static String uid(int number, char of) {
        SplittableRandom bits = new SplittableRandom(((long) of << 32) + number);
        long high = (bits.nextLong() & ~0xf000L) | (4L << 12);
        long low = (bits.nextLong() & ~(1L << 62) & (-1L << Integer.SIZE)) | (1L << 63) | number;
        return new UUID(high, low).toString();
    }
}
