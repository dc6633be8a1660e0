package dev.flotilla.core.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How far everything is read and written, from one term to the next. */
class StampsTest {
    private static final SiteId SITE = new SiteId("north");
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final FleetHead HEAD = new FleetHead(
            1, 7, NOW, "hash", 1, true, List.of(new PartitionOffset(Table.ORDERS, 0, 3), new PartitionOffset(Table.REJECTED, 0, 9)));
    private static final SiteHead SITE_HEAD = new SiteHead(
            SITE,
            null,
            null,
            2,
            List.of(),
            List.of(new PartitionOffset(Table.INVENTORY, 0, 40), new PartitionOffset(Table.STATUS, 0, 50)));

    private final Stamps stamps = new Stamps(HEAD, Map.of(SITE, SITE_HEAD));
    private final Batch batch = new Batch(new FleetState(), "it");

    @Test
    void keepsHowFarASiteWasReadWhenATermCannotReadIt() {
        stamps.wrote(new Decision(
                8, NOW, Event.SITE_CHANGED, SITE, "unreachable", List.of(SITE_HEAD.withUnreachable(NOW, null, List.of()))));
        stamps.stamp(batch);
        assertThat(batch.siteHeads().get(SITE).offsets()).isEqualTo(SITE_HEAD.offsets());
    }

    /** A leader that one day cannot read the site knows of it nothing else. */
    @Test
    void saysHowManyMachinesOfASiteAreInFlight() {
        FleetState state = new FleetState();
        state.put(SITE_HEAD);
        Batch written = new Batch(state, "it");
        Decision moves = new Decision(8, NOW, Event.SITE_CHANGED, SITE, "heard", List.of(SITE_HEAD));
        stamps.wrote(moves);
        stamps.stamp(written);
        assertThat(written.siteHeads().get(SITE).inFlight()).isEqualTo(2);
        state.markRead(SITE);
        stamps.wrote(moves);
        stamps.stamp(written);
        assertThat(written.siteHeads().get(SITE).inFlight()).isZero();
    }

    @Test
    void forgetsHowFarASiteWasReadOnceItsTopicsAreAdopted() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        stamps.begin(inventory, 40);
        stamps.reads(SITE, List.of(new TopicId(Table.INVENTORY, "one")));
        stamps.stamp(batch);
        assertThat(batch.siteHeads().get(SITE).topicIds()).containsExactly(new TopicId(Table.INVENTORY, "one"));
        stamps.wrote(new Decision(8, NOW, Event.ORDER_APPLIED, SITE, "adopt", List.of(SITE_HEAD.withAdoption("order"))));
        stamps.stamp(batch);
        assertThat(batch.siteHeads().get(SITE).offsets()).isEmpty();
        assertThat(batch.siteHeads().get(SITE).topicIds()).isEmpty();
        assertThat(stamps.next(inventory)).isZero();
    }

    @Test
    void keepsHowFarWasWrittenWhatATermHasNotWrittenYet() {
        stamps.begin(TablePartition.of(Table.ORDERS), 3);
        stamps.read(TablePartition.of(Table.ORDERS), 5, 2);
        stamps.read(TablePartition.of(Table.INVENTORY, SITE), 41, 1);
        stamps.stamp(batch);
        assertThat(batch.head().offsets())
                .containsExactlyInAnyOrder(new PartitionOffset(Table.ORDERS, 0, 5), new PartitionOffset(Table.REJECTED, 0, 9));
        assertThat(batch.siteHeads().get(SITE).offsets())
                .containsExactlyInAnyOrder(new PartitionOffset(Table.INVENTORY, 0, 41), new PartitionOffset(Table.STATUS, 0, 50));
    }

    @Test
    void aReaderThatWentBackSaysNothingNew() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        stamps.begin(inventory, 40);
        stamps.read(inventory, 40, 1);
        stamps.read(inventory, 39, 1);
        assertThat(stamps.due()).isEqualTo(1);
        assertThat(stamps.next(inventory)).isEqualTo(40);
        assertThat(stamps.unstamped()).isEqualTo(2);
        stamps.read(inventory, 41, 1);
        assertThat(stamps.due()).isEqualTo(2);
        assertThat(stamps.next(inventory)).isEqualTo(41);
    }

    @Test
    void whatItStampsIsWhereTheNextTermGoesOn() {
        stamps.read(TablePartition.of(Table.ORDERS), 5, 2);
        stamps.chained("next hash");
        assertThat(stamps.chain()).isEqualTo("next hash");
        stamps.stamp(batch);
        assertThat(batch.head().journalHash()).isEqualTo("next hash");
        assertThat(stamps.head()).isEqualTo(batch.head());
        assertThat(stamps.unstamped()).isZero();
        stamps.reads(SITE, List.of());
        stamps.wrote(new Decision(8, NOW, Event.SITE_CHANGED, SITE, "heard", List.of(SITE_HEAD.withSilentSince(NOW))));
        assertThat(stamps.siteHeads().get(SITE).silentSince()).isEqualTo(NOW);
    }

    @Test
    void theHeadOfADecisionIsStampedAsThatSays() {
        FleetHead decided = new FleetHead(2, 8, NOW.plusSeconds(1), "hash", 1, false, List.of());
        stamps.wrote(new Decision(8, NOW, Event.TOOK_OVER, FleetScope.FLEET, "", List.of(decided)));
        stamps.stamp(batch);
        assertThat(batch.head()).isEqualTo(decided);
    }

    @Test
    void aSiteOneOfWhoseMachinesHasMovedIsStampedWithTheNextBatchAndNotAgain() {
        stamps.wrote(new Decision(
                8,
                NOW,
                Event.ATTEMPT_ADMITTED,
                SITE,
                "",
                List.of(new MachineStatus(new MachineKey(SITE, "default", "m"), "uid", null, null, List.of()))));
        assertThat(stamps.due()).isEqualTo(2);
        stamps.stamp(batch);
        assertThat(batch.siteHeads()).containsOnlyKeys(SITE);
        assertThat(stamps.due()).isEqualTo(1);
        Batch next = new Batch(new FleetState(), "it");
        stamps.stamp(next);
        assertThat(next.siteHeads()).isEmpty();
    }

    @Test
    void whichTopicsAreReadIsStampedOfASiteWhereThatIsNew() {
        List<TopicId> ids = List.of(new TopicId(Table.INVENTORY, "one"));
        stamps.reads(SITE, ids);
        assertThat(stamps.due()).isEqualTo(2);
        stamps.stamp(batch);
        stamps.reads(SITE, ids);
        assertThat(stamps.due()).as("it is written already").isEqualTo(1);
        stamps.reads(new SiteId("south"), List.of());
        assertThat(stamps.due()).as("nothing is written of the south").isEqualTo(2);
    }

    @Test
    void whichTopicsOfTheFleetAreReadIsStampedWithItsHead() {
        List<TopicId> ids = List.of(new TopicId(Table.ORDERS, "one"));
        stamps.reads(FleetScope.FLEET, ids);
        assertThat(stamps.due()).isEqualTo(1);
        stamps.stamp(batch);
        assertThat(batch.head().topicIds()).isEqualTo(ids);
    }

    @Test
    void offsetsStandInTheOrderOfTablesAndPartitions() {
        stamps.begin(new TablePartition(Table.PROGRESS, SITE, 3), 9);
        stamps.begin(new TablePartition(Table.PROGRESS, SITE, 1), 8);
        stamps.read(new TablePartition(Table.PROGRESS, SITE, 1), 10, 2);
        stamps.stamp(batch);
        assertThat(batch.siteHeads().get(SITE).offsets())
                .containsExactly(
                        new PartitionOffset(Table.INVENTORY, 0, 40),
                        new PartitionOffset(Table.STATUS, 0, 50),
                        new PartitionOffset(Table.PROGRESS, 1, 10),
                        new PartitionOffset(Table.PROGRESS, 3, 9));
    }

    @Test
    void ofAnInputThatThisTermHasNotReadTheHeadSaysWhereItGoesOn() {
        assertThat(stamps.next(TablePartition.of(Table.ORDERS))).isEqualTo(3);
        assertThat(stamps.next(TablePartition.of(Table.INVENTORY, SITE))).isEqualTo(40);
    }

    @Test
    void anOrderThatAdoptsNothingNewForgetsNothing() {
        TablePartition inventory = TablePartition.of(Table.INVENTORY, SITE);
        stamps.begin(inventory, 44);
        stamps.wrote(new Decision(8, NOW, Event.SITE_CHANGED, SITE, "heard", List.of(SITE_HEAD.withSilentSince(NOW))));
        assertThat(stamps.next(inventory)).isEqualTo(44);
        stamps.wrote(new Decision(9, NOW, Event.ORDER_APPLIED, SITE, "", List.of(SITE_HEAD.withAdoption("order"))));
        stamps.begin(inventory, 2);
        stamps.begin(TablePartition.of(Table.ORDERS), 6);
        stamps.wrote(new Decision(
                10,
                NOW,
                Event.SITE_CHANGED,
                SITE,
                "heard",
                List.of(SITE_HEAD.withAdoption("order").withSilentSince(NOW))));
        assertThat(stamps.next(inventory)).isEqualTo(2);
        stamps.wrote(new Decision(11, NOW, Event.ORDER_APPLIED, SITE, "", List.of(SITE_HEAD.withAdoption("next"))));
        assertThat(stamps.next(TablePartition.of(Table.ORDERS))).as("of the fleet").isEqualTo(6);
    }

    @Test
    void aChapterGrowsByWhatTheJournalHasTakenAndKnowsWhereItBegan() {
        stamps.wrote(begun(8));
        stamps.journaled(100);
        stamps.journaled(20);
        stamps.chapterBegan(8, 555);
        stamps.stamp(batch);
        assertThat(batch.head().chapter()).isEqualTo(chapter(8).withAddedBytes(120).withOffset(555));
        stamps.journaled(3);
        stamps.stamp(batch);
        assertThat(batch.head().chapter()).isEqualTo(chapter(8).withAddedBytes(123).withOffset(555));
        stamps.wrote(begun(9));
        stamps.stamp(batch);
        assertThat(batch.head().chapter())
                .as("another chapter stands elsewhere")
                .isEqualTo(chapter(9));
    }

    private static JournalChapter chapter(long seq) {
        return new JournalChapter(seq, NOW, 0, null, null, List.of(), null);
    }

    private static Decision begun(long seq) {
        FleetHead head = new FleetHead(1, seq, NOW, "hash", 1, true, List.of(), chapter(seq));
        return new Decision(seq, NOW, Event.CHAPTER_BEGUN, FleetScope.FLEET, "", List.of(head));
    }
}
