package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Seed;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.orchestrator.loop.LoopCrashInjection;
import dev.flotilla.orchestrator.loop.LoopCrashPoint;
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
 * One leader after the other dies at a step of its loop, in the middle of a campaign: each by a different step, and each takes over
 * from one that died by the step before.
 */
@Tag("nightly")
class CrashPointsIT {
    private static final int MACHINES = Seed.machines(90);
    private static final SitesSpec SPEC = new SitesSpec(2, Math.max(12, MACHINES / 8), MACHINES, 0, 1, 240);
    private static final int CAP = MACHINES / 18;

    /** Steps of a take-over, which a term reaches but once. */
    private static final Set<LoopCrashPoint> ONCE = EnumSet.of(LoopCrashPoint.HINTED, LoopCrashPoint.FENCED, LoopCrashPoint.RESTORED);
    /** A term comes by the others again and again; at the first of them it has only just begun. */
    private static final int AGAIN = 12;

    @Test
    void whoeverComesNextGoesOnAfterEachStep() {
        Random chance = Seed.of(CrashPointsIT.class);
        List<String> table = new ArrayList<>();
        try (Arena arena = Arena.open("crash-points", SPEC, CAP)) {
            Journal journal = arena.journal();
            JvmProcess healthy = arena.startOrchestrator();
            arena.awaitKnown();
            Work work = new Work(arena);
            work.goesOn();
            journal.await("the first start", Arena.PATIENCE, () -> journal.open() > 0);
            List<Doomed> doomed = new ArrayList<>();
            for (LoopCrashPoint loopCrashPoint : LoopCrashPoint.values()) {
                doomed.add(new Doomed(loopCrashPoint, ONCE.contains(loopCrashPoint) ? 1 : 1 + chance.nextInt(AGAIN)));
            }
            JvmProcess next = start(arena, doomed.get(0));
            arena.awaitStanding(next, "standby");
            arena.forget(healthy);
            healthy.kill();
            for (int i = 0; i < doomed.size(); i++) {
                JvmProcess dying = next;
                int terms = journal.terms();
                long seq = journal.seq();
                boolean isLast = i + 1 == doomed.size();
                if (!isLast) {
                    next = start(arena, doomed.get(i + 1));
                }
                journal.await(doomed.get(i) + " has died", Arena.PATIENCE, () -> {
                    work.goesOn();
                    return !dying.isAlive();
                });
                assertThat(dying.exit()).as("exit of " + doomed.get(i)).isEqualTo(LoopCrashInjection.EXIT);
                if (isLast) {
                    // Not before: of two who stand by either may be next, and one who never dies would lead for good.
                    next = arena.startOrchestrator();
                }
                journal.poll();
                table.add(String.format(
                        Locale.ROOT,
                        "%-12s after %3d records, %d term(s) of its own, %s at %d of %d",
                        doomed.get(i),
                        journal.seq() - seq,
                        journal.terms() - terms,
                        work.rollout().name(),
                        work.rollout().ended(journal),
                        SPEC.machines()));
            }
            int starts = journal.lines(DecisionEvent.ATTEMPT_ADMITTED).size();
            Rollout last = work.last();
            journal.await("the last campaign is over", Arena.PATIENCE, () -> last.isOver(journal));
            System.out.println("CrashPointsIT: died at");
            table.forEach(line -> System.out.println("  " + line));
            Verdict.holds(arena, last);
            assertThat(journal.lines(DecisionEvent.ATTEMPT_ADMITTED))
                    .as("starts after the last crash")
                    .hasSizeGreaterThan(starts);
        }
    }

    /** One campaign after the other, so that there is always something to do. */
    private static final class Work {
        private final Arena arena;
        private int begun;

        Work(Arena arena) {
            this.arena = arena;
        }

        Rollout rollout() {
            return new Rollout(begun);
        }

        /** Begins another if the one before is over. */
        void goesOn() {
            if (begun == 0 || rollout().isOver(arena.journal())) {
                arena.begin(new Rollout(++begun));
            }
        }

        /** The last one, with something left to do. */
        Rollout last() {
            goesOn();
            return rollout();
        }
    }

    /** A process that dies when it comes by a step for the n-th time. */
    private record Doomed(LoopCrashPoint step, int times) {
        @Override
        public String toString() {
            return step.label() + ":" + times;
        }
    }

    private static JvmProcess start(Arena arena, Doomed doomed) {
        return arena.startOrchestrator("-D" + LoopCrashInjection.PROPERTY + "=" + doomed);
    }
}
