package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables are lost if they were created again or end before the read offset. */
class LostTablesTest {
    private static final SiteId NORTH = new SiteId("north");

    @Test
    void aTopicWithAnotherIdWasCreatedAgain() {
        List<TopicId> recorded = List.of(new TopicId(Table.INVENTORY, "a"), new TopicId(Table.PROGRESS, "b"));
        List<TopicId> found = List.of(
                new TopicId(Table.INVENTORY, "a"), new TopicId(Table.PROGRESS, "x"), new TopicId(Table.INTENTS, "c"));
        assertThat(LostTableDetector.findRecreatedTables(recorded, found)).containsExactly(Table.PROGRESS);
    }

    @Test
    void aTableThatEndsBeforeTheReadOffsetHasLostRecords() {
        SiteHead head = SiteHead.of(NORTH)
                .withReadPosition(
                        0,
                        null,
                        List.of(
                                new PartitionOffset(Table.INVENTORY, 0, 10),
                                new PartitionOffset(Table.INVENTORY, 1, 10),
                                new PartitionOffset(Table.PROGRESS, 0, 10),
                                new PartitionOffset(Table.INTENTS, 0, 10)),
                        List.of());
        Map<TablePartition, Long> ends = Map.of(
                new TablePartition(Table.INVENTORY, NORTH, 0), 9L,
                new TablePartition(Table.INVENTORY, NORTH, 1), 3L,
                new TablePartition(Table.PROGRESS, NORTH, 0), 10L);
        assertThat(LostTableDetector.findTruncatedTables(head, ends)).containsExactly(Table.INVENTORY);
    }
}
