package dev.flotilla.schemas.row;

import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import java.util.List;

/** The next offset to read of an input topic's partition. */
public record Offset(Table table, int partition, long next) {
    /** The next offset of a place, of the offsets of its site or of the fleet; zero where they say nothing. */
    public static long next(List<Offset> offsets, Place place) {
        for (Offset offset : offsets) {
            if (offset.table() == place.table() && offset.partition() == place.partition()) {
                return offset.next();
            }
        }
        return 0;
    }
}
