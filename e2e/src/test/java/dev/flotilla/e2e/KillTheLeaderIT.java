package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Seed;
import dev.flotilla.e2e.arena.Times;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whoever leads is killed at some instant, time and again, until a large campaign is over. */
class KillTheLeaderIT {
    private static final int CAP = 200;
    private static final int PER_CLUSTER = 10;
    private static final int SITES = 3;
    private static final int FAIL_PER_MILLE = 5;
    /** A node's ten minutes take a second and a half. */
    private static final double SPEED = 400;
    /** So long a leader lives at most, in milliseconds. */
    private static final int LONGEST_LIFE = 3_000;

    @Test
    void aCampaignEndsWellHoweverOftenItsLeaderIsKilled() {
        Random chance = Seed.of(KillTheLeaderIT.class);
        int machines = Seed.machines(400);
        SitesSpec spec = new SitesSpec(
                SITES, Math.max(SITES, machines / PER_CLUSTER), machines, FAIL_PER_MILLE, chance.nextInt(1000), SPEED);
        Rollout rollout = new Rollout(1);
        List<Long> kills = new ArrayList<>();
        try (Arena arena = Arena.open("kill-the-leader", spec, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.startOrchestrator();
            arena.awaitKnown();
            long begun = System.nanoTime();
            arena.begin(rollout);
            journal.await("the campaign is taken", Arena.PATIENCE, () -> journal.campaign(rollout.name()) != null);
            while (!rollout.isOver(journal)) {
                JvmProcess leader = arena.awaitLeader();
                long dies = System.nanoTime() + chance.nextInt(LONGEST_LIFE) * 1_000_000L;
                journal.await(
                        "a moment more", Arena.PATIENCE, () -> System.nanoTime() >= dies || rollout.isOver(journal));
                if (!rollout.isOver(journal)) {
                    int terms = journal.terms();
                    leader.kill();
                    kills.add(System.currentTimeMillis());
                    arena.forget(leader);
                    arena.startOrchestrator();
                    journal.await("another takes over", Arena.PATIENCE, () -> journal.terms() > terms);
                }
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            System.out.printf(
                    "KillTheLeaderIT: %d machines in %.1f s, %d succeeded, %d records, %d terms, %d kills%n",
                    machines, seconds, rollout.succeeded(journal), journal.seq(), journal.terms(), kills.size());
            Times terms = after(kills, journal, DecisionEvent.LEADER_ELECTED, "kill to the next term");
            System.out.println("  " + terms);
            System.out.println("  " + after(kills, journal, DecisionEvent.ATTEMPT_ADMITTED, "kill to the next start"));
            Verdict.holds(arena, rollout);
            assertThat(kills).as("a test that killed nobody shows nothing").isNotEmpty();
            assertThat(terms.size()).as("terms that followed a kill").isEqualTo(kills.size());
        }
    }

    private static Times after(List<Long> kills, Journal journal, DecisionEvent event, String what) {
        Times times = new Times(what);
        List<Journal.Line> lines = journal.lines(event);
        for (long kill : kills) {
            lines.stream()
                    .mapToLong(Journal.Line::appended)
                    .filter(appended -> appended > kill)
                    .min()
                    .ifPresent(appended -> times.add(appended - kill));
        }
        return times;
    }
}
