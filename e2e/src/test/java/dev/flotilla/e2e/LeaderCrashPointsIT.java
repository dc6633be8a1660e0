package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RandomSeed;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.orchestrator.leader.LoopCrashPoint;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One leader after another dies at a crash point of its loop, in the middle of a campaign: each at a different point,
 * and each takes over from one that died at the point before.
 */
@Tag("nightly")
class LeaderCrashPointsIT {
    private static final int MACHINES = RandomSeed.machines(90);
    private static final SitesSpec SPEC = new SitesSpec(2, Math.max(12, MACHINES / 8), MACHINES, 0, 1, 240);
    private static final int CAP = MACHINES / 18;

    /** Crash points of a take-over, which a term reaches only once. */
    private static final Set<LoopCrashPoint> REACHED_ONCE =
            EnumSet.of(LoopCrashPoint.HINTED, LoopCrashPoint.FENCED, LoopCrashPoint.RESTORED);
    /**
     * A term reaches the other crash points repeatedly; it dies at this pass, because at the first one it has just
     * begun.
     */
    private static final int PASS = 12;

    @Test
    void nextLeaderContinuesAfterEachCrashPoint() {
        Random chance = RandomSeed.createRandom(LeaderCrashPointsIT.class);
        List<String> table = new ArrayList<>();
        try (FleetTestBed fleetTestBed = FleetTestBed.open("crash-points", SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            ChildProcess healthy = fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            Work work = new Work(fleetTestBed);
            work.goesOn();
            journal.await("the first start", FleetTestBed.PATIENCE, () -> journal.openAttempts() > 0);
            List<Doomed> doomed = new ArrayList<>();
            for (LoopCrashPoint loopCrashPoint : LoopCrashPoint.values()) {
                doomed.add(new Doomed(
                        loopCrashPoint, REACHED_ONCE.contains(loopCrashPoint) ? 1 : 1 + chance.nextInt(PASS)));
            }
            ChildProcess next = start(fleetTestBed, doomed.get(0));
            fleetTestBed.awaitReplicaRole(next, "standby");
            fleetTestBed.stopTracking(healthy);
            healthy.kill();
            for (int i = 0; i < doomed.size(); i++) {
                ChildProcess dying = next;
                int terms = journal.terms();
                long seq = journal.seq();
                boolean isLast = i + 1 == doomed.size();
                if (!isLast) {
                    next = start(fleetTestBed, doomed.get(i + 1));
                }
                journal.await(doomed.get(i) + " has died", FleetTestBed.PATIENCE, () -> {
                    work.goesOn();
                    return !dying.isAlive();
                });
                assertThat(dying.awaitExit()).as("exit of " + doomed.get(i)).isEqualTo(CrashInjection.EXIT);
                if (isLast) {
                    // Started only now: with two standbys either may be next, and one without a crash point would stay
                    // leader.
                    next = fleetTestBed.startOrchestrator();
                }
                journal.poll();
                table.add(String.format(
                        Locale.ROOT,
                        "%-12s after %3d records, %d own term(s), %s at %d of %d",
                        doomed.get(i),
                        journal.seq() - seq,
                        journal.terms() - terms,
                        work.rollout().name(),
                        work.rollout().ended(journal),
                        SPEC.machines()));
            }
            int starts = journal.lines(DecisionEvent.ATTEMPT_ADMITTED).size();
            TestCampaign last = work.last();
            journal.await("the last campaign is over", FleetTestBed.PATIENCE, () -> last.isOver(journal));
            System.out.println("LeaderCrashPointsIT: died at");
            table.forEach(line -> System.out.println("  " + line));
            RolloutAssertions.assertAll(fleetTestBed, last);
            assertThat(journal.lines(DecisionEvent.ATTEMPT_ADMITTED))
                    .as("starts after the last crash")
                    .hasSizeGreaterThan(starts);
        }
    }

    /** Runs one campaign after another, so that there is always work. */
    private static final class Work {
        private final FleetTestBed fleetTestBed;
        private int begun;

        Work(FleetTestBed fleetTestBed) {
            this.fleetTestBed = fleetTestBed;
        }

        TestCampaign rollout() {
            return new TestCampaign(begun);
        }

        /** Starts the next campaign if the one before is over. */
        void goesOn() {
            if (begun == 0 || rollout().isOver(fleetTestBed.journal())) {
                fleetTestBed.startCampaign(new TestCampaign(++begun));
            }
        }

        /** The last campaign, with machines left to upgrade. */
        TestCampaign last() {
            goesOn();
            return rollout();
        }
    }

    /** A crash point and the pass at which the process dies. */
    private record Doomed(LoopCrashPoint step, int times) {
        @Override
        public String toString() {
            return CrashInjection.label(step) + ":" + times;
        }
    }

    private static ChildProcess start(FleetTestBed fleetTestBed, Doomed doomed) {
        return fleetTestBed.startOrchestrator("-D" + CrashInjection.PROPERTY + "=" + doomed);
    }
}
