package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions about the leader, its clock and the heartbeats of sites. */
class FleetDeciderTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private Decision last() {
        return fleetScenario.decisions.getLast();
    }

    @Test
    void decidesByItsGates() {
        GateChain gates = GateChain.standard();
        FleetState state = new FleetState();
        assertThat(new FleetDecider(gates).gates()).isSameAs(gates);
        assertThat(new DecisionEngine(new FleetDecider(gates), state).state()).isSameAs(state);
    }

    @Test
    void eachTermHasTheNextNumber() {
        long term = fleetScenario.state.head().term();
        fleetScenario.decide(new DecisionInput.LeaderElected(fleetScenario.now));
        assertThat(fleetScenario.state.head().term()).isEqualTo(term + 1);
    }

    @Test
    void recordsAChangeOfClockAgreement() {
        fleetScenario.decide(new DecisionInput.ClockCompared(false, fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CLOCK_SYNC_CHANGED);
        assertThat(last().reason()).isEqualTo("differs");
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(new DecisionInput.ClockCompared(false, fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.decide(new DecisionInput.ClockCompared(true, fleetScenario.now));
        assertThat(last().reason()).isEqualTo("agrees");
    }

    @Test
    void recordsWhetherASiteIsSilentWhenThatChanges() {
        SiteId site = FleetScenario.SITE;
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(site, fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.decide(new DecisionInput.HeartbeatLost(site, fleetScenario.now));
        assertThat(last().reason()).isEqualTo("silent");
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(site, fleetScenario.now));
        assertThat(last().reason()).isEqualTo("connected");
    }

    @Test
    void namesWhatAHeartbeatChanges() {
        assertThat(reasonOf("uid-of-south", 0, null)).isEqualTo("first heartbeat");
        assertThat(reasonOf("uid-of-south", 2, null)).isEqualTo("2 machines vanished at once");
        assertThat(reasonOf("uid-of-south", 0, null)).isEqualTo("no removals are withheld any more");
        assertThat(reasonOf("uid-of-south", 0, SiteMode.DIRECT)).isEqualTo("mode direct");
        assertThat(reasonOf("uid-of-west", 0, SiteMode.DIRECT)).isEqualTo("another management cluster");
    }

    private String reasonOf(String managementUid, int withheldRemovals, @Nullable SiteMode mode) {
        fleetScenario.receive(new WatcherHeartbeat(
                new SiteId("south"), managementUid, "watcher", fleetScenario.now, withheldRemovals, mode, null, null));
        return fleetScenario.decisions.stream()
                .filter(decision -> decision.event() == DecisionEvent.SITE_CHANGED)
                .toList()
                .getLast()
                .reason();
    }

    @Test
    void aChapterStartsWithoutUnreadableSitesAndIsCompletedOnce() {
        fleetScenario.decide(new DecisionInput.ChapterDue(List.of(), fleetScenario.now));
        assertThat(last().reason()).isEmpty();
        fleetScenario.decide(new DecisionInput.ChapterDue(List.of(FleetScenario.SITE), fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHAPTER_STARTED);
        assertThat(last().reason()).isEqualTo("without what cannot be read: [north]");
        JournalChapter chapter =
                Objects.requireNonNull(fleetScenario.state.head().chapter());
        assertThat(chapter.seq()).isEqualTo(last().seq());
        fleetScenario.decide(new DecisionInput.CheckpointPartRead(fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHECKPOINT_PART_WRITTEN);
        fleetScenario.decide(new DecisionInput.CheckpointCompleted(7, fleetScenario.now));
        assertThat(last().event()).isEqualTo(DecisionEvent.CHAPTER_COMPLETED);
        assertThat(last().reason()).isEqualTo("7 rows in the checkpoint of decision " + chapter.seq());
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(new DecisionInput.CheckpointCompleted(8, fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void withoutAChapterNoneIsCompleted() {
        int before = fleetScenario.decisions.size();
        fleetScenario.decide(new DecisionInput.CheckpointCompleted(7, fleetScenario.now));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void eventsHaveDistinctLabels() {
        assertThat(Arrays.stream(DecisionEvent.values()).map(DecisionEvent::label))
                .doesNotHaveDuplicates()
                .contains("leader-elected", "attempt-admitted", "chapter-completed");
    }

    @Test
    void namesTheSubjectOfAFailedDecision() {
        IllegalStateException bug = new IllegalStateException("a bug");
        assertThatThrownBy(() -> DecisionFailedException.runFor(FleetScenario.SITE, () -> {
                    throw bug;
                }))
                .isInstanceOfSatisfying(
                        DecisionFailedException.class,
                        decisionFailedException ->
                                assertThat(decisionFailedException.subject()).isEqualTo(FleetScenario.SITE))
                .hasCause(bug)
                .hasMessageContaining("due work of north cannot be decided");
        assertThat(DecisionFailedException.runFor(FleetScenario.SITE, () -> Decision.NOTHING))
                .isEqualTo(Decision.NOTHING);
    }
}
