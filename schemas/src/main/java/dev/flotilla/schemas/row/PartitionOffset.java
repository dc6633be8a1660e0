package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.List;

/** The next offset to read of an input topic's partition. */
public record PartitionOffset(Table table, int partition, long nextOffset) {
    /** Returns the next offset of a partition from the offsets of its site or of the fleet; zero if they have none. */
    public static long nextOffset(List<PartitionOffset> offsets, TablePartition tablePartition) {
        for (PartitionOffset offset : offsets) {
            if (offset.table() == tablePartition.table() && offset.partition() == tablePartition.partition()) {
                return offset.nextOffset();
            }
        }
        return 0;
    }
}
