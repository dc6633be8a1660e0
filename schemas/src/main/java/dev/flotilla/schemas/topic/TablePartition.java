package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a topic.
 *
 * @param site null for a topic of the fleet
 */
public record TablePartition(Table table, @Nullable SiteId site, int partition) {

    public static TablePartition of(Table table) {
        return new TablePartition(table, null, 0);
    }

    public static TablePartition of(Table table, SiteId site) {
        return new TablePartition(table, site, 0);
    }

    /** Returns the partition of a machine's rows in its site's topic. */
    public static TablePartition of(Table table, MachineKey machine) {
        return new TablePartition(table, machine.site(), partitionOf(table, machine));
    }

    public static int partitionOf(Table table, MachineKey machine) {
        return Math.floorMod((machine.namespace() + "/" + machine.name()).hashCode(), table.partitions());
    }

    @Override
    public String toString() {
        return table.label() + (site == null ? "" : "." + site) + "/" + partition;
    }
}
