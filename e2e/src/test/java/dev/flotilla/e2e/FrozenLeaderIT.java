package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.testkit.sites.SitesSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leader that stood still comes back to a world that has another one. */
@Tag("whole")
class FrozenLeaderIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 200, 0, 1, 100);
    private static final int CAP = 12;

    @Test
    void aLeaderThatStoodStillWritesNothingMoreAndStandsBy() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("frozen-leader", SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.awaitKnown();
            JvmProcess old = arena.awaitLeader();
            JvmProcess standby = arena.startOrchestrator();
            arena.awaitStanding(standby, "standby");
            arena.begin(rollout);
            journal.await("it is at work", Arena.PATIENCE, () -> rollout.ended(journal) > CAP);

            int terms = journal.terms();
            old.suspend();
            long stopped = System.nanoTime();
            journal.await("another takes over", Arena.PATIENCE, () -> journal.terms() > terms);
            double seconds = (System.nanoTime() - stopped) / 1e9;
            arena.awaitStanding(standby, "leader");
            long ended = rollout.ended(journal);
            journal.await("the other is at work", Arena.PATIENCE, () -> rollout.ended(journal) > ended);

            old.resume();
            arena.awaitStanding(old, "standby");
            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
            System.out.printf(
                    "FrozenLeaderIT: another led %.1f s after the stop, %d of %d had ended%n",
                    seconds, ended, SPEC.machines());
            // A record of the old term after the new one's first would break the chain.
            Verdict.holds(arena, rollout);
            assertThat(journal.terms()).isEqualTo(terms + 1);
            assertThat(Arena.standing(standby)).isEqualTo("leader");
            assertThat(Arena.standing(old)).isEqualTo("standby");
            assertThat(old.log()).content().containsPattern("dropped everything|stepping down");
        }
    }
}
