package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the head rows record about the term, its journal and its sites, and which inputs do not change them. */
class HeadRowsTest {
    private static final SiteId SOUTH = new SiteId("south");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private JournalChapter chapter() {
        return Objects.requireNonNull(fleetScenario.state.head().chapter());
    }

    private SiteHead head(SiteId site) {
        return (SiteHead) Objects.requireNonNull(fleetScenario.rows.get(new RowKey(Table.HEAD, site)));
    }

    private Decision last() {
        return fleetScenario.decisions.getLast();
    }

    private void noTrace(DecisionInput input) {
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(input);
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void aChapterStartsWithItsDecisionAndIsCompletedWithItsRows() {
        fleetScenario.decide(new DecisionInput.ChapterDue(List.of(SOUTH), fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHAPTER_STARTED);
        assertThat(last().reason()).isEqualTo("without what cannot be read: [south]");
        assertThat(chapter().seq()).isEqualTo(last().seq());
        assertThat(chapter().excludedSites()).containsExactly(SOUTH);
        assertThat(chapter().isComplete()).isFalse();
        fleetScenario.decide(new DecisionInput.CheckpointPartRead(fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHECKPOINT_PART_WRITTEN);
        fleetScenario.decide(new DecisionInput.CheckpointCompleted(12, fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHAPTER_COMPLETED);
        assertThat(last().reason())
                .isEqualTo("12 rows in the checkpoint of decision " + chapter().seq());
        assertThat(chapter().checkpointRows()).isEqualTo(12);
        noTrace(new DecisionInput.CheckpointCompleted(13, fleetScenario.now));
        fleetScenario.decide(new DecisionInput.ChapterDue(List.of(), fleetScenario.now));
        assertThat(last().reason()).isEmpty();
        assertThat(chapter().isComplete()).isFalse();
    }

    @Test
    void aChapterThatHasNotStartedIsNotCompleted() {
        noTrace(new DecisionInput.CheckpointCompleted(12, fleetScenario.now));
    }

    @Test
    void unchangedClockAgreementChangesNothing() {
        fleetScenario.decide(new DecisionInput.ClockCompared(false, fleetScenario.now));
        assertThat(fleetScenario.state.head().clockInSync()).isFalse();
        noTrace(new DecisionInput.ClockCompared(false, fleetScenario.now));
        fleetScenario.decide(new DecisionInput.ClockCompared(true, fleetScenario.now));
        noTrace(new DecisionInput.ClockCompared(true, fleetScenario.now));
    }

    @Test
    void anUnchangedHeartbeatStateChangesNothingUnlessTheSiteIsNew() {
        noTrace(new DecisionInput.HeartbeatResumed(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(SOUTH, fleetScenario.now));
        assertThat(head(SOUTH).silentSince()).isNull();
        fleetScenario.decide(new DecisionInput.HeartbeatLost(SOUTH, fleetScenario.now));
        assertThat(head(SOUTH).silentSince()).isEqualTo(fleetScenario.now);
        noTrace(new DecisionInput.HeartbeatLost(SOUTH, fleetScenario.now.plusSeconds(9)));
    }

    @Test
    void anUnreachableSiteKeepsItsStartAndCollectsLostTables() {
        fleetScenario.decide(
                new DecisionInput.SiteUnreachable(SOUTH, "no route", List.of(Table.STATUS), fleetScenario.now));
        assertThat(last().reason()).isEqualTo("unreachable: no route");
        noTrace(new DecisionInput.SiteUnreachable(SOUTH, "no route", List.of(Table.STATUS), fleetScenario.now));
        noTrace(new DecisionInput.SiteUnreachable(SOUTH, "no route", List.of(), fleetScenario.now));
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.decide(
                new DecisionInput.SiteUnreachable(SOUTH, null, List.of(Table.INVENTORY), fleetScenario.now));
        assertThat(last().reason()).isEqualTo("unreachable");
        assertThat(head(SOUTH).unreachableSince()).isEqualTo(FleetScenario.START);
        assertThat(head(SOUTH).lostTables()).containsExactlyInAnyOrder(Table.STATUS, Table.INVENTORY);
        noTrace(new DecisionInput.SiteReachable(SOUTH, fleetScenario.now));
    }

    @Test
    void aSiteWithAllItsTopicsBecomesReachableOnce() {
        noTrace(new DecisionInput.SiteReachable(SOUTH, fleetScenario.now));
        fleetScenario.decide(new DecisionInput.SiteUnreachable(SOUTH, fleetScenario.now));
        fleetScenario.decide(new DecisionInput.SiteReachable(SOUTH, fleetScenario.now));
        assertThat(head(SOUTH).unreachableSince()).isNull();
        noTrace(new DecisionInput.SiteReachable(SOUTH, fleetScenario.now));
    }

    @Test
    void refreshingTheDerivedStateCountsNewRows() {
        fleetScenario.cluster("a", 0, 2);
        DecisionEngine decisionEngine = new DecisionEngine(FleetDecider.standard(), fleetScenario.state);
        fleetScenario.state.put(
                MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-7").build());
        decisionEngine.refreshDerivedState(fleetScenario.now);
        assertThat(fleetScenario
                        .state
                        .cluster(new dev.flotilla.schemas.id.ClusterKey(FleetScenario.SITE, "default", "a"))
                        .machines())
                .isEqualTo(3);
    }
}
