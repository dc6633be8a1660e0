package dev.flotilla.core.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tables are lost that were created again, or end before what was read there. */
class LostTablesTest {
    private static final SiteId NORTH = new SiteId("north");

    @Test
    void aTopicOfAnotherIdWasCreatedAgain() {
        List<TopicId> recorded = List.of(new TopicId(Table.INVENTORY, "a"), new TopicId(Table.PROGRESS, "b"));
        List<TopicId> found = List.of(
                new TopicId(Table.INVENTORY, "a"), new TopicId(Table.PROGRESS, "x"), new TopicId(Table.INTENTS, "c"));
        assertThat(LostTables.recreated(recorded, found)).containsExactly(Table.PROGRESS);
    }

    @Test
    void aTableThatEndsBeforeWhatWasReadHasLostRecords() {
        SiteHead head = SiteHead.of(NORTH)
                .stamped(
                        0,
                        null,
                        List.of(
                                new Offset(Table.INVENTORY, 0, 10),
                                new Offset(Table.INVENTORY, 1, 10),
                                new Offset(Table.PROGRESS, 0, 10),
                                new Offset(Table.INTENTS, 0, 10)),
                        List.of());
        Map<Place, Long> ends = Map.of(
                new Place(Table.INVENTORY, NORTH, 0), 9L,
                new Place(Table.INVENTORY, NORTH, 1), 3L,
                new Place(Table.PROGRESS, NORTH, 0), 10L);
        assertThat(LostTables.shorter(head, ends)).containsExactly(Table.INVENTORY);
    }
}
