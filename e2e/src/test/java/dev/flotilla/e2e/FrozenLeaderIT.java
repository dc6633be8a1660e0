package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A suspended leader resumes after another one has taken over. */
@Tag("whole")
class FrozenLeaderIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 200, 0, 1, 100);
    private static final int CAP = 12;

    @Test
    void suspendedLeaderWritesNothingMoreAndBecomesStandby() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("frozen-leader", SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            ChildProcess old = fleetTestBed.awaitLeader();
            ChildProcess standby = fleetTestBed.startOrchestrator();
            fleetTestBed.awaitReplicaRole(standby, "standby");
            fleetTestBed.startCampaign(testCampaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) > CAP);

            int terms = journal.terms();
            old.suspend();
            long stopped = System.nanoTime();
            journal.await("the standby takes over", FleetTestBed.PATIENCE, () -> journal.terms() > terms);
            double seconds = (System.nanoTime() - stopped) / 1e9;
            fleetTestBed.awaitReplicaRole(standby, "leader");
            long ended = testCampaign.ended(journal);
            journal.await(
                    "the new leader upgrades" + " machines",
                    FleetTestBed.PATIENCE,
                    () -> testCampaign.ended(journal) > ended);

            old.resume();
            fleetTestBed.awaitReplicaRole(old, "standby");
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
            System.out.printf(
                    "FrozenLeaderIT: the standby was leader %.1f s after the stop, %d of %d had ended%n",
                    seconds, ended, SPEC.machines());
            // A record of the old term after the first one of the new term would break the hash chain.
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
            assertThat(journal.terms()).isEqualTo(terms + 1);
            assertThat(FleetTestBed.replicaRole(standby)).isEqualTo("leader");
            assertThat(FleetTestBed.replicaRole(old)).isEqualTo("standby");
            assertThat(old.log()).content().containsPattern("state dropped|leadership lost|term ended");
        }
    }
}
