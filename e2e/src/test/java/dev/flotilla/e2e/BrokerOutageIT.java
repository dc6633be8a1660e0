package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FixedWait;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The only broker is killed and suspended under load, and returns. */
@Tag("whole")
class BrokerOutageIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 30, 300, 0, 1, 100);
    private static final int CAP = 20;
    /** Longer than the timeouts of sessions, transactions and the orchestrator. */
    private static final long UNREACHABLE_MILLIS = 12_000;

    @Test
    void campaignContinuesWhenTheBrokerIsBack() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("broker-away", SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            fleetTestBed.startCampaign(testCampaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) > CAP);

            fleetTestBed.broker().kill();
            fleetTestBed.broker().start();
            double killed = secondsUntilMoreHaveEnded(testCampaign, journal);

            assertThat(testCampaign.isOver(journal))
                    .as("machines are left to upgrade")
                    .isFalse();
            fleetTestBed.broker().suspend();
            FixedWait.waitMillis(UNREACHABLE_MILLIS);
            fleetTestBed.broker().resume();
            double stopped = secondsUntilMoreHaveEnded(testCampaign, journal);

            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
            System.out.printf(
                    "BrokerOutageIT: machines end again %.1f s after the broker is restarted, %.1f s after it" + " is"
                            + " resumed; %d terms%n",
                    killed, stopped, journal.terms());
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
        }
    }

    private static double secondsUntilMoreHaveEnded(TestCampaign testCampaign, JournalFollower journal) {
        long begun = System.nanoTime();
        // Records that were in flight when the broker stopped do not count.
        long enough = Math.min(SPEC.machines(), testCampaign.ended(journal) + 2 * CAP);
        journal.await("machines end again", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) >= enough);
        return (System.nanoTime() - begun) / 1e9;
    }
}
