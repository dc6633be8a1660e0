package dev.flotilla.core.term;

import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which tables of a site have lost records, by what its head row says of them and what the brokers show. */
public final class LostTableDetector {
    private LostTableDetector() {}

    /** Those whose topics are others than the recorded ones. */
    public static List<Table> recreated(List<TopicId> recorded, List<TopicId> found) {
        List<Table> others = new ArrayList<>();
        for (TopicId topic : found) {
            String before = TopicId.of(recorded, topic.table());
            if (before != null && !before.equals(topic.id())) {
                others.add(topic.table());
            }
        }
        return others;
    }

    /** Those that end before what was read or written there. */
    public static List<Table> truncated(SiteHead head, Map<TablePartition, Long> ends) {
        List<Table> shorter = new ArrayList<>();
        for (PartitionOffset offset : head.offsets()) {
            Long end = ends.get(new TablePartition(offset.table(), head.site(), offset.partition()));
            if (end != null && end < offset.nextOffset() && !shorter.contains(offset.table())) {
                shorter.add(offset.table());
            }
        }
        return shorter;
    }
}
