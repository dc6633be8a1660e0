package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.DurationSamples;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RandomSeed;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Kills the leader at random instants until a large campaign is over. */
class LeaderKillIT {
    private static final int CAP = 200;
    private static final int PER_CLUSTER = 10;
    private static final int SITES = 3;
    private static final int FAIL_PER_MILLE = 5;
    /** Ten minutes of a node's work take 1.5 s. */
    private static final double SPEED = 400;
    /** Longest life of a leader, in milliseconds. */
    private static final int LONGEST_LIFE = 3_000;

    @Test
    void campaignCompletesWhileLeadersAreKilled() {
        Random chance = RandomSeed.createRandom(LeaderKillIT.class);
        int machines = RandomSeed.machines(400);
        SitesSpec spec = new SitesSpec(
                SITES, Math.max(SITES, machines / PER_CLUSTER), machines, FAIL_PER_MILLE, chance.nextInt(1000), SPEED);
        TestCampaign testCampaign = new TestCampaign(1);
        List<Long> kills = new ArrayList<>();
        try (FleetTestBed fleetTestBed = FleetTestBed.open("kill-the-leader", spec, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            long begun = System.nanoTime();
            fleetTestBed.startCampaign(testCampaign);
            journal.await(
                    "the campaign is accepted",
                    FleetTestBed.PATIENCE,
                    () -> journal.campaign(testCampaign.name()) != null);
            while (!testCampaign.isOver(journal)) {
                ChildProcess leader = fleetTestBed.awaitLeader();
                long dies = System.nanoTime() + chance.nextInt(LONGEST_LIFE) * 1_000_000L;
                journal.await(
                        "a moment more",
                        FleetTestBed.PATIENCE,
                        () -> System.nanoTime() >= dies || testCampaign.isOver(journal));
                if (!testCampaign.isOver(journal)) {
                    int terms = journal.terms();
                    leader.kill();
                    kills.add(System.currentTimeMillis());
                    fleetTestBed.stopTracking(leader);
                    fleetTestBed.startOrchestrator();
                    journal.await(
                            "another orchestrator takes" + " over",
                            FleetTestBed.PATIENCE,
                            () -> journal.terms() > terms);
                }
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            System.out.printf(
                    "LeaderKillIT: %d machines in %.1f s, %d succeeded, %d records, %d terms, %d kills%n",
                    machines, seconds, testCampaign.succeeded(journal), journal.seq(), journal.terms(), kills.size());
            DurationSamples terms = after(kills, journal, DecisionEvent.LEADER_ELECTED, "kill to the next term");
            System.out.println("  " + terms);
            System.out.println("  " + after(kills, journal, DecisionEvent.ATTEMPT_ADMITTED, "kill to the next start"));
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
            assertThat(kills).as("kills").isNotEmpty();
            assertThat(terms.size()).as("terms that followed a kill").isEqualTo(kills.size());
        }
    }

    private static DurationSamples after(List<Long> kills, JournalFollower journal, DecisionEvent event, String what) {
        DurationSamples durationSamples = new DurationSamples(what);
        List<JournalFollower.JournalEntry> lines = journal.lines(event);
        for (long kill : kills) {
            lines.stream()
                    .mapToLong(JournalFollower.JournalEntry::appended)
                    .filter(appended -> appended > kill)
                    .min()
                    .ifPresent(appended -> durationSamples.add(appended - kill));
        }
        return durationSamples;
    }
}
