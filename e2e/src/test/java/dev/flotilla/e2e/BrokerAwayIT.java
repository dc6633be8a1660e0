package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.Pause;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kafka goes away under load, and comes back. */
@Tag("whole")
class BrokerAwayIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 30, 300, 0, 1, 100);
    private static final int CAP = 20;
    /** Longer than a session, a transaction and the orchestrator's patience. */
    private static final long UNREACHABLE_MILLIS = 12_000;

    @Test
    void aCampaignGoesOnWhenTheBrokerIsBack() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("broker-away", SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.startOrchestrator();
            arena.awaitKnown();
            arena.begin(rollout);
            journal.await("it is at work", Arena.PATIENCE, () -> rollout.ended(journal) > CAP);

            arena.broker().kill();
            arena.broker().start();
            double killed = secondsUntilMoreHaveEnded(rollout, journal);

            assertThat(rollout.isOver(journal))
                    .as("there is something left to do")
                    .isFalse();
            arena.broker().suspend();
            Pause.of(UNREACHABLE_MILLIS);
            arena.broker().resume();
            double stopped = secondsUntilMoreHaveEnded(rollout, journal);

            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
            System.out.printf(
                    "BrokerAwayIT: machines end again %.1f s after the broker is back from a kill, %.1f s after it goes"
                            + " on again; %d terms%n",
                    killed, stopped, journal.terms());
            Verdict.holds(arena, rollout);
        }
    }

    private static double secondsUntilMoreHaveEnded(Rollout rollout, Journal journal) {
        long begun = System.nanoTime();
        // What was on its way when the broker went may still come by itself.
        long enough = Math.min(SPEC.machines(), rollout.ended(journal) + 2 * CAP);
        journal.await("machines end again", Arena.PATIENCE, () -> rollout.ended(journal) >= enough);
        return (System.nanoTime() - begun) / 1e9;
    }
}
