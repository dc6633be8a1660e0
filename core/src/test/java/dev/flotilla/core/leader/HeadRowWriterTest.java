package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How far everything is read and written, across terms. */
class HeadRowWriterTest {
    private static final SiteId SITE = new SiteId("north");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final FleetHead HEAD = new FleetHead(
            1,
            7,
            NOW,
            "hash",
            1,
            true,
            List.of(new PartitionOffset(Table.ORDERS, 0, 3), new PartitionOffset(Table.REJECTED, 0, 9)));
    private static final SiteHead SITE_HEAD = new SiteHead(
            SITE,
            null,
            null,
            2,
            List.of(),
            List.of(new PartitionOffset(Table.INVENTORY, 0, 40), new PartitionOffset(Table.STATUS, 0, 50)));

    private final HeadRowWriter headRowWriter = new HeadRowWriter(HEAD, Map.of(SITE, SITE_HEAD));
    private final DecisionBatch batch = new DecisionBatch(new FleetState(), "it");

    @Test
    void keepsTheReadPositionOfASiteThatIsUnreadable() {
        headRowWriter.recordDecision(new Decision(
                8,
                NOW,
                DecisionEvent.SITE_CHANGED,
                SITE,
                "unreachable",
                List.of(SITE_HEAD.withUnreachable(NOW, null, List.of()))));
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.siteHeads().get(SITE).offsets()).isEqualTo(SITE_HEAD.offsets());
    }

    /** A later leader that cannot read the site knows nothing else about it. */
    @Test
    void recordsTheMachinesInFlightOfASite() {
        FleetState state = new FleetState();
        state.put(SITE_HEAD);
        DecisionBatch written = new DecisionBatch(state, "it");
        Decision moves = new Decision(8, NOW, DecisionEvent.SITE_CHANGED, SITE, "connected", List.of(SITE_HEAD));
        headRowWriter.recordDecision(moves);
        headRowWriter.writeHeadRows(written);
        assertThat(written.siteHeads().get(SITE).inFlight()).isEqualTo(2);
        state.markRestored(SITE);
        headRowWriter.recordDecision(moves);
        headRowWriter.writeHeadRows(written);
        assertThat(written.siteHeads().get(SITE).inFlight()).isZero();
    }

    @Test
    void forgetsTheReadPositionOfAdoptedTopics() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        headRowWriter.setStartOffset(inventory, 40);
        headRowWriter.setTopicIds(SITE, List.of(new TopicId(Table.INVENTORY, "one")));
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.siteHeads().get(SITE).topicIds()).containsExactly(new TopicId(Table.INVENTORY, "one"));
        headRowWriter.recordDecision(new Decision(
                8, NOW, DecisionEvent.ORDER_APPLIED, SITE, "adopt", List.of(SITE_HEAD.withAdoption("order"))));
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.siteHeads().get(SITE).offsets()).isEmpty();
        assertThat(batch.siteHeads().get(SITE).topicIds()).isEmpty();
        assertThat(headRowWriter.nextOffset(inventory)).isZero();
    }

    @Test
    void keepsTheOffsetsThatATermHasNotWrittenYet() {
        headRowWriter.setStartOffset(TablePartition.of(Table.ORDERS), 3);
        headRowWriter.recordRead(TablePartition.of(Table.ORDERS), 5, 2);
        headRowWriter.recordRead(TablePartition.of(Table.INVENTORY, SITE), 41, 1);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().offsets())
                .containsExactlyInAnyOrder(
                        new PartitionOffset(Table.ORDERS, 0, 5), new PartitionOffset(Table.REJECTED, 0, 9));
        assertThat(batch.siteHeads().get(SITE).offsets())
                .containsExactlyInAnyOrder(
                        new PartitionOffset(Table.INVENTORY, 0, 41), new PartitionOffset(Table.STATUS, 0, 50));
    }

    @Test
    void readingAgainDoesNotMoveTheOffset() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        headRowWriter.setStartOffset(inventory, 40);
        headRowWriter.recordRead(inventory, 40, 1);
        headRowWriter.recordRead(inventory, 39, 1);
        assertThat(headRowWriter.headRowsDue()).isEqualTo(1);
        assertThat(headRowWriter.nextOffset(inventory)).isEqualTo(40);
        assertThat(headRowWriter.unrecordedInputs()).isEqualTo(2);
        headRowWriter.recordRead(inventory, 41, 1);
        assertThat(headRowWriter.headRowsDue()).isEqualTo(2);
        assertThat(headRowWriter.nextOffset(inventory)).isEqualTo(41);
    }

    @Test
    void theNextTermContinuesFromTheWrittenOffsets() {
        headRowWriter.recordRead(TablePartition.of(Table.ORDERS), 5, 2);
        headRowWriter.recordJournalHash("next hash");
        assertThat(headRowWriter.journalHash()).isEqualTo("next hash");
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().journalHash()).isEqualTo("next hash");
        assertThat(headRowWriter.head()).isEqualTo(batch.head());
        assertThat(headRowWriter.unrecordedInputs()).isZero();
        headRowWriter.setTopicIds(SITE, List.of());
        headRowWriter.recordDecision(new Decision(
                8, NOW, DecisionEvent.SITE_CHANGED, SITE, "connected", List.of(SITE_HEAD.withSilentSince(NOW))));
        assertThat(headRowWriter.siteHeads().get(SITE).silentSince()).isEqualTo(NOW);
    }

    @Test
    void writesTheHeadOfADecision() {
        FleetHead decided = new FleetHead(2, 8, NOW.plusSeconds(1), "hash", 1, false, List.of());
        headRowWriter.recordDecision(
                new Decision(8, NOW, DecisionEvent.LEADER_ELECTED, FleetScope.FLEET, "", List.of(decided)));
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head()).isEqualTo(decided);
    }

    @Test
    void writesTheHeadOfASiteWithChangedMachinesOnce() {
        headRowWriter.recordDecision(new Decision(
                8,
                NOW,
                DecisionEvent.ATTEMPT_ADMITTED,
                SITE,
                "",
                List.of(new MachineStatus(new MachineKey(SITE, "default", "m"), "uid", null, null, List.of()))));
        assertThat(headRowWriter.headRowsDue()).isEqualTo(2);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.siteHeads()).containsOnlyKeys(SITE);
        assertThat(headRowWriter.headRowsDue()).isEqualTo(1);
        DecisionBatch next = new DecisionBatch(new FleetState(), "it");
        headRowWriter.writeHeadRows(next);
        assertThat(next.siteHeads()).isEmpty();
    }

    @Test
    void writesTheTopicIdsOfASiteWhenTheyChange() {
        List<TopicId> ids = List.of(new TopicId(Table.INVENTORY, "one"));
        headRowWriter.setTopicIds(SITE, ids);
        assertThat(headRowWriter.headRowsDue()).isEqualTo(2);
        headRowWriter.writeHeadRows(batch);
        headRowWriter.setTopicIds(SITE, ids);
        assertThat(headRowWriter.headRowsDue()).as("it is already written").isEqualTo(1);
        headRowWriter.setTopicIds(new SiteId("south"), List.of());
        assertThat(headRowWriter.headRowsDue())
                .as("nothing is written of the south")
                .isEqualTo(2);
    }

    @Test
    void writesTheTopicIdsOfTheFleetWithItsHead() {
        List<TopicId> ids = List.of(new TopicId(Table.ORDERS, "one"));
        headRowWriter.setTopicIds(FleetScope.FLEET, ids);
        assertThat(headRowWriter.headRowsDue()).isEqualTo(1);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().topicIds()).isEqualTo(ids);
    }

    @Test
    void offsetsAreInTheOrderOfTablesAndPartitions() {
        headRowWriter.setStartOffset(new TablePartition(Table.PROGRESS, SITE, 3), 9);
        headRowWriter.setStartOffset(new TablePartition(Table.PROGRESS, SITE, 1), 8);
        headRowWriter.recordRead(new TablePartition(Table.PROGRESS, SITE, 1), 10, 2);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.siteHeads().get(SITE).offsets())
                .containsExactly(
                        new PartitionOffset(Table.INVENTORY, 0, 40),
                        new PartitionOffset(Table.STATUS, 0, 50),
                        new PartitionOffset(Table.PROGRESS, 1, 10),
                        new PartitionOffset(Table.PROGRESS, 3, 9));
    }

    @Test
    void anUnreadInputContinuesFromItsHeadRow() {
        assertThat(headRowWriter.nextOffset(TablePartition.of(Table.ORDERS))).isEqualTo(3);
        assertThat(headRowWriter.nextOffset(TablePartition.of(Table.INVENTORY, SITE)))
                .isEqualTo(40);
    }

    @Test
    void anUnchangedAdoptionForgetsNothing() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        headRowWriter.setStartOffset(inventory, 44);
        headRowWriter.recordDecision(new Decision(
                8, NOW, DecisionEvent.SITE_CHANGED, SITE, "connected", List.of(SITE_HEAD.withSilentSince(NOW))));
        assertThat(headRowWriter.nextOffset(inventory)).isEqualTo(44);
        headRowWriter.recordDecision(
                new Decision(9, NOW, DecisionEvent.ORDER_APPLIED, SITE, "", List.of(SITE_HEAD.withAdoption("order"))));
        headRowWriter.setStartOffset(inventory, 2);
        headRowWriter.setStartOffset(TablePartition.of(Table.ORDERS), 6);
        headRowWriter.recordDecision(new Decision(
                10,
                NOW,
                DecisionEvent.SITE_CHANGED,
                SITE,
                "connected",
                List.of(SITE_HEAD.withAdoption("order").withSilentSince(NOW))));
        assertThat(headRowWriter.nextOffset(inventory)).isEqualTo(2);
        headRowWriter.recordDecision(
                new Decision(11, NOW, DecisionEvent.ORDER_APPLIED, SITE, "", List.of(SITE_HEAD.withAdoption("next"))));
        assertThat(headRowWriter.nextOffset(TablePartition.of(Table.ORDERS)))
                .as("of the fleet")
                .isEqualTo(6);
    }

    @Test
    void aChapterKnowsItsSizeAndItsStart() {
        headRowWriter.recordDecision(begun(8));
        headRowWriter.addJournalBytes(100);
        headRowWriter.addJournalBytes(20);
        headRowWriter.recordChapterStart(8, 555);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().chapter())
                .isEqualTo(chapter(8).withAddedBytes(120).withOffset(555));
        headRowWriter.addJournalBytes(3);
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().chapter())
                .isEqualTo(chapter(8).withAddedBytes(123).withOffset(555));
        headRowWriter.recordDecision(begun(9));
        headRowWriter.writeHeadRows(batch);
        assertThat(batch.head().chapter())
                .as("another chapter starts elsewhere")
                .isEqualTo(chapter(9));
    }

    private static JournalChapter chapter(long seq) {
        return new JournalChapter(seq, NOW, 0, null, null, List.of(), null);
    }

    private static Decision begun(long seq) {
        FleetHead head = new FleetHead(1, seq, NOW, "hash", 1, true, List.of(), chapter(seq));
        return new Decision(seq, NOW, DecisionEvent.CHAPTER_STARTED, FleetScope.FLEET, "", List.of(head));
    }
}
