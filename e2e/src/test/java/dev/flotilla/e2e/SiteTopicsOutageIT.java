package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.BrokerLayout;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The only broker of one site's topics is down: the other sites continue, and that site continues when it is back. */
@Tag("nightly")
class SiteTopicsOutageIT {
    private static final SitesSpec SPEC = new SitesSpec(3, 24, 180, 0, 1, 200);
    private static final int CAP = 12;
    private static final int SUSPENDED_SITE = 3;

    /** More than the machines in flight at once, and fewer than all machines. */
    private static final int BUDGET = 60;

    @Test
    void otherSitesContinue() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("site-away", BrokerLayout.A_BROKER_A_SITE, SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            fleetTestBed.startCampaign(testCampaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) > CAP);

            fleetTestBed.broker(SUSPENDED_SITE).kill();
            long killed = System.nanoTime();
            journal.await(
                    "the other sites have ended",
                    FleetTestBed.PATIENCE,
                    () -> testCampaign.unfinished(journal).stream().allMatch(SiteTopicsOutageIT::isOfTheSite));
            double seconds = (System.nanoTime() - killed) / 1e9;
            assertThat(testCampaign.unfinished(journal))
                    .as("machines of the suspended site")
                    .isNotEmpty();
            assertThat(journal.lines(DecisionEvent.SITE_CHANGED))
                    .anySatisfy(
                            journalEntry -> assertThat(journalEntry.subject()).isEqualTo("site-" + SUSPENDED_SITE));

            fleetTestBed.broker(SUSPENDED_SITE).start();
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
            System.out.printf(
                    "SiteTopicsOutageIT: the other sites ended %.1f s after the kill; %d" + " terms%n",
                    seconds, journal.terms());
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
        }
    }

    /**
     * The site's head row says how many of its machines may have failed, so that the failure budget does not stop the
     * other sites.
     */
    @Test
    void nextLeaderContinuesWithoutTheSiteAndCompletesNoCampaignThatSelectsIt() {
        TestCampaign testCampaign = new TestCampaign(1).withBudget(BUDGET);
        try (FleetTestBed fleetTestBed =
                FleetTestBed.open("site-away-leader-gone", BrokerLayout.A_BROKER_A_SITE, SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            fleetTestBed.startCampaign(testCampaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) > CAP);

            fleetTestBed.broker(SUSPENDED_SITE).kill();
            journal.await("the site is suspended", FleetTestBed.PATIENCE, () -> isUnreachable(journal));
            fleetTestBed.freeze(true);
            journal.await("the fleet is frozen", FleetTestBed.PATIENCE, () -> orders(journal) == 1);
            long kept = journal.lines(DecisionEvent.ATTEMPT_CANCELLING).stream()
                    .filter(journalEntry -> journalEntry.subject().startsWith("site-" + SUSPENDED_SITE + "/"))
                    .count();
            ChildProcess leader = fleetTestBed.awaitLeader();
            int terms = journal.terms();
            fleetTestBed.stopTracking(leader);
            leader.kill();
            journal.await(
                    "another orchestrator takes over without the" + " site",
                    FleetTestBed.PATIENCE,
                    () -> journal.terms() > terms);
            fleetTestBed.freeze(false);
            journal.await("the fleet is unfrozen", FleetTestBed.PATIENCE, () -> orders(journal) == 2);
            journal.await(
                    "the other sites have ended",
                    FleetTestBed.PATIENCE,
                    () -> testCampaign.unfinished(journal).stream().allMatch(SiteTopicsOutageIT::isOfTheSite));
            assertThat(journal.campaign(testCampaign.name()).state())
                    .as("state of a campaign that selects the site")
                    .isEqualTo(CampaignState.RUNNING);

            fleetTestBed.broker(SUSPENDED_SITE).start();
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
            System.out.printf(
                    "SiteTopicsOutageIT: %d revocations of the site's commands were lost with their leader; %d terms%n",
                    kept, journal.terms());
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
        }
    }

    private static boolean isUnreachable(JournalFollower journal) {
        return journal.lines(DecisionEvent.SITE_CHANGED).stream()
                .anyMatch(journalEntry -> journalEntry.subject().equals("site-" + SUSPENDED_SITE)
                        && journalEntry.reason().startsWith("unreachable"));
    }

    private static int orders(JournalFollower journal) {
        return journal.lines(DecisionEvent.ORDER_APPLIED).size();
    }

    private static boolean isOfTheSite(MachineRow machine) {
        return machine.key().site().name().equals("site-" + SUSPENDED_SITE);
    }
}
