package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the head rows say of the term, its journal and its sites, and which inputs change nothing there. */
class HeadTest {
    private static final SiteId SOUTH = new SiteId("south");

    private final Scene scene = Scene.open();

    private JournalChapter chapter() {
        return Objects.requireNonNull(scene.state.head().chapter());
    }

    private SiteHead head(SiteId site) {
        return (SiteHead) Objects.requireNonNull(scene.rows.get(new RowKey(Table.HEAD, site)));
    }

    private Decision last() {
        return scene.decisions.getLast();
    }

    private void noTrace(Input input) {
        int before = scene.decisions.size();
        scene.take(input);
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void aChapterBeginsWithItsDecisionAndIsCompleteWhenAllItsRowsAreTold() {
        scene.take(new Input.ChapterDue(List.of(SOUTH), scene.now));
        assertThat(last().event()).isEqualTo(Event.CHAPTER_BEGUN);
        assertThat(last().reason()).isEqualTo("without what cannot be read: [south]");
        assertThat(chapter().seq()).isEqualTo(last().seq());
        assertThat(chapter().excludedSites()).containsExactly(SOUTH);
        assertThat(chapter().isComplete()).isFalse();
        scene.take(new Input.CheckpointPart(scene.now));
        assertThat(last().event()).isEqualTo(Event.CHECKPOINTED);
        scene.take(new Input.CheckpointDone(12, scene.now));
        assertThat(last().event()).isEqualTo(Event.CHAPTER_COMPLETED);
        assertThat(last().reason()).isEqualTo("12 rows as of " + chapter().seq());
        assertThat(chapter().checkpointRows()).isEqualTo(12);
        noTrace(new Input.CheckpointDone(13, scene.now));
        scene.take(new Input.ChapterDue(List.of(), scene.now));
        assertThat(last().reason()).isEmpty();
        assertThat(chapter().isComplete()).isFalse();
    }

    @Test
    void noChapterIsCompleteThatHasNotBegun() {
        noTrace(new Input.CheckpointDone(12, scene.now));
    }

    @Test
    void clocksThatAgreeAsBeforeLeaveNoTrace() {
        scene.take(new Input.ClockCompared(false, scene.now));
        assertThat(scene.state.head().clockInSync()).isFalse();
        noTrace(new Input.ClockCompared(false, scene.now));
        scene.take(new Input.ClockCompared(true, scene.now));
        noTrace(new Input.ClockCompared(true, scene.now));
    }

    @Test
    void aSiteThatIsHeardAsBeforeLeavesNoTraceUnlessNobodyKnewIt() {
        noTrace(new Input.SiteHeard(Scene.SITE, scene.now));
        scene.take(new Input.SiteHeard(SOUTH, scene.now));
        assertThat(head(SOUTH).silentSince()).isNull();
        scene.take(new Input.SiteSilent(SOUTH, scene.now));
        assertThat(head(SOUTH).silentSince()).isEqualTo(scene.now);
        noTrace(new Input.SiteSilent(SOUTH, scene.now.plusSeconds(9)));
    }

    @Test
    void aSiteIsAwayFromTheFirstTimeItWasFoundSoAndWhatItLostIsAddedUp() {
        scene.take(new Input.SiteUnreachable(SOUTH, "no route", List.of(Table.STATUS), scene.now));
        assertThat(last().reason()).isEqualTo("unreachable: no route");
        noTrace(new Input.SiteUnreachable(SOUTH, "no route", List.of(Table.STATUS), scene.now));
        noTrace(new Input.SiteUnreachable(SOUTH, "no route", List.of(), scene.now));
        scene.pass(Duration.ofMinutes(1));
        scene.take(new Input.SiteUnreachable(SOUTH, null, List.of(Table.INVENTORY), scene.now));
        assertThat(last().reason()).isEqualTo("unreachable");
        assertThat(head(SOUTH).unreachableSince()).isEqualTo(Scene.START);
        assertThat(head(SOUTH).lostTables()).containsExactlyInAnyOrder(Table.STATUS, Table.INVENTORY);
        noTrace(new Input.SiteReachable(SOUTH, scene.now));
    }

    @Test
    void aSiteThatComesBackWithAllItsTopicsIsReachableOnce() {
        noTrace(new Input.SiteReachable(SOUTH, scene.now));
        scene.take(new Input.SiteUnreachable(SOUTH, scene.now));
        scene.take(new Input.SiteReachable(SOUTH, scene.now));
        assertThat(head(SOUTH).unreachableSince()).isNull();
        noTrace(new Input.SiteReachable(SOUTH, scene.now));
    }

    @Test
    void settlingCountsWhatWasPut() {
        scene.cluster("a", 0, 2);
        Brain brain = new Brain(FleetDecider.standard(), scene.state);
        scene.state.put(MachineBuilder.of(Scene.SITE, "a", "a-w-7").build());
        brain.settle(scene.now);
        assertThat(scene.state
                        .cluster(new dev.flotilla.schemas.id.ClusterKey(Scene.SITE, "default", "a"))
                        .machines())
                .isEqualTo(3);
    }
}
