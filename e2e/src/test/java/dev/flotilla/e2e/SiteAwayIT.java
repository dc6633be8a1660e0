package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Layout;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The topics of one site are gone with their only broker: the other sites go on, and that one when they are back. */
@Tag("whole")
class SiteAwayIT {
    private static final SitesSpec SPEC = new SitesSpec(3, 24, 180, 0, 1, 200);
    private static final int CAP = 12;
    private static final int AWAY = 3;

    /** More than are in flight at once, and fewer than there are. */
    private static final int BUDGET = 60;

    @Test
    void theOtherSitesGoOnWithoutIt() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("site-away", Layout.A_BROKER_A_SITE, SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.startOrchestrator();
            arena.awaitKnown();
            arena.begin(rollout);
            journal.await("it is at work", Arena.PATIENCE, () -> rollout.ended(journal) > CAP);

            arena.broker(AWAY).kill();
            long killed = System.nanoTime();
            journal.await(
                    "the other sites have ended",
                    Arena.PATIENCE,
                    () -> rollout.unfinished(journal).stream().allMatch(SiteAwayIT::isOfTheSite));
            double seconds = (System.nanoTime() - killed) / 1e9;
            assertThat(rollout.unfinished(journal))
                    .as("machines of the site that is away")
                    .isNotEmpty();
            assertThat(journal.lines(DecisionEvent.SITE_CHANGED))
                    .anySatisfy(line -> assertThat(line.subject()).isEqualTo("site-" + AWAY));

            arena.broker(AWAY).start();
            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
            System.out.printf(
                    "SiteAwayIT: the other sites ended %.1f s after the kill; %d terms%n", seconds, journal.terms());
            Verdict.holds(arena, rollout);
        }
    }

    /** What may have failed in the site is known from its head row, so that a budget need not stop the others. */
    @Test
    void theNextLeaderGoesOnWithoutItAndEndsNoCampaignThatSelectsIt() {
        Rollout rollout = new Rollout(1).withBudget(BUDGET);
        try (Arena arena = Arena.open("site-away-leader-gone", Layout.A_BROKER_A_SITE, SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.startOrchestrator();
            arena.awaitKnown();
            arena.begin(rollout);
            journal.await("it is at work", Arena.PATIENCE, () -> rollout.ended(journal) > CAP);

            arena.broker(AWAY).kill();
            journal.await("the site is set aside", Arena.PATIENCE, () -> isUnreachable(journal));
            arena.freeze(true);
            journal.await("it is frozen", Arena.PATIENCE, () -> orders(journal) == 1);
            long kept = journal.lines(DecisionEvent.ATTEMPT_CANCELLING).stream()
                    .filter(line -> line.subject().startsWith("site-" + AWAY + "/"))
                    .count();
            JvmProcess leader = arena.awaitLeader();
            int terms = journal.terms();
            arena.forget(leader);
            leader.kill();
            journal.await("another takes over without the site", Arena.PATIENCE, () -> journal.terms() > terms);
            arena.freeze(false);
            journal.await("it goes on", Arena.PATIENCE, () -> orders(journal) == 2);
            journal.await(
                    "the other sites have ended",
                    Arena.PATIENCE,
                    () -> rollout.unfinished(journal).stream().allMatch(SiteAwayIT::isOfTheSite));
            assertThat(journal.campaign(rollout.name()).state())
                    .as("state of a campaign that selects the site")
                    .isEqualTo(CampaignState.RUNNING);

            arena.broker(AWAY).start();
            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
            System.out.printf(
                    "SiteAwayIT: %d commands of the site were called back by a leader who took that with him; %d terms%n",
                    kept, journal.terms());
            Verdict.holds(arena, rollout);
        }
    }

    private static boolean isUnreachable(Journal journal) {
        return journal.lines(DecisionEvent.SITE_CHANGED).stream()
                .anyMatch(line ->
                        line.subject().equals("site-" + AWAY) && line.reason().startsWith("unreachable"));
    }

    private static int orders(Journal journal) {
        return journal.lines(DecisionEvent.ORDER_APPLIED).size();
    }

    private static boolean isOfTheSite(MachineRow machine) {
        return machine.key().site().name().equals("site-" + AWAY);
    }
}
