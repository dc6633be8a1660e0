package dev.flotilla.core.leader;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds the tables of a site that have lost records, by comparing its head row with the brokers. */
final class LostTableDetector {
    private LostTableDetector() {}

    /** The tables whose topic ids differ from the recorded ones. */
    static List<Table> findRecreatedTables(List<TopicId> recorded, List<TopicId> found) {
        List<Table> recreated = new ArrayList<>();
        for (TopicId topic : found) {
            String recordedId = TopicId.of(recorded, topic.table());
            if (recordedId != null && !recordedId.equals(topic.id())) {
                recreated.add(topic.table());
            }
        }
        return recreated;
    }

    /** The tables that end before the offset that was read or written. */
    static List<Table> findTruncatedTables(SiteHead head, Map<TablePartition, Long> ends) {
        List<Table> truncated = new ArrayList<>();
        for (PartitionOffset offset : head.offsets()) {
            Long end = ends.get(new TablePartition(offset.table(), head.site(), offset.partition()));
            if (end != null && end < offset.nextOffset() && !truncated.contains(offset.table())) {
                truncated.add(offset.table());
            }
        }
        return truncated;
    }
}
