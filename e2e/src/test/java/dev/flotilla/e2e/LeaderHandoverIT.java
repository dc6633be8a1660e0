package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.DurationSamples;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ordinary operations: start two orchestrators at once, restart standbys one by one, stop the leader. */
@Tag("whole")
class LeaderHandoverIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 240, 0, 1, 100);
    private static final int CAP = 12;
    private static final int RESTARTS = 3;
    private static final int HAND_OVERS = 3;

    @Test
    void leaderChangesOnlyWhenItIsStopped() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("hand-over", SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            ChildProcess one = fleetTestBed.startOrchestrator();
            ChildProcess two = fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            ChildProcess leader = fleetTestBed.awaitLeader();
            ChildProcess standby = leader == one ? two : one;
            fleetTestBed.awaitReplicaRole(standby, "standby");
            assertThat(journal.terms())
                    .as("one of two that start at once is leader")
                    .isEqualTo(1);

            fleetTestBed.startCampaign(testCampaign);
            for (int i = 0; i < RESTARTS; i++) {
                fleetTestBed.stopTracking(standby);
                standby.terminate();
                standby.awaitExit();
                standby = fleetTestBed.startOrchestrator();
                fleetTestBed.awaitReplicaRole(standby, "standby");
            }
            assertThat(journal.terms())
                    .as("restarts of standbys do not change a healthy leader")
                    .isEqualTo(1);
            assertThat(FleetTestBed.replicaRole(leader)).isEqualTo("leader");

            DurationSamples durationSamples = new DurationSamples("SIGTERM to the next term");
            for (int i = 0; i < HAND_OVERS; i++) {
                int terms = journal.terms();
                fleetTestBed.stopTracking(leader);
                long asked = System.currentTimeMillis();
                leader.terminate();
                journal.await("the standby takes over", FleetTestBed.PATIENCE, () -> journal.terms() > terms);
                durationSamples.add(
                        journal.lines(DecisionEvent.LEADER_ELECTED).get(terms).appended() - asked);
                leader.awaitExit();
                leader = standby;
                standby = fleetTestBed.startOrchestrator();
                fleetTestBed.awaitReplicaRole(standby, "standby");
                assertThat(journal.terms()).isEqualTo(terms + 1);
            }
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
            System.out.println("LeaderHandoverIT: " + durationSamples);
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
            List<String> started = new ArrayList<>();
            journal.lines(DecisionEvent.ATTEMPT_ADMITTED).forEach(journalEntry -> started.add(journalEntry.subject()));
            assertThat(started)
                    .as("machines started, by one attempt each")
                    .doesNotHaveDuplicates()
                    .hasSize(SPEC.machines());
        }
    }
}
