package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.broken.BrokenCore;
import dev.flotilla.simulator.broken.BrokenCoreDetection;
import dev.flotilla.simulator.run.AuditedSimulationRun;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Audits simulated runs: auditor and simulator, which share no code, must agree which runs violate an invariant. */
class AuditedSimulationsTest {
    /** Number of runs without an unreachable site, and number of runs with one. */
    private static final int RUNS = 12;

    /** Seeds to search at most; a change of the simulated world changes which seeds detect a broken core. */
    private static final long MAX_SEEDS = 200;

    @Test
    void auditorReportsNoViolationInCorrectRuns() {
        int whole = 0;
        int away = 0;
        for (long seed = 1; whole < RUNS || away < RUNS; seed++) {
            AuditedSimulationRun.AuditedSeed run = AuditedSimulationRun.of(seed, SystemUnderTest.REAL);
            whole += run.away() ? 0 : 1;
            away += run.away() ? 1 : 0;
            assertThat(run.violations()).as("violations in seed " + seed).isEmpty();
            assertThat(run.soundByTheSimulator())
                    .as("soundness of seed " + seed)
                    .isTrue();
            assertThat(run.audit().isComplete())
                    .as("whether seed " + seed + " is judged")
                    .isTrue();
            assertThat(run.audit().decisions()).isEqualTo(run.audit().seq()).isPositive();
        }
    }

    /**
     * For each broken core: the seed to start from, and the invariant that the auditor reports first in the first seed
     * in which the simulator detects it.
     */
    @ParameterizedTest
    @CsvSource({
        "fleet-cap-off-by-one, 3, 1-caps",
        "control-planes-together, 1, 2-cluster",
        "unready-not-counted, 2, 2-cluster",
        "budget-off-by-one, 82, 6-budget",
        "freeze-ignored, 2, 7-stop",
        "waves-ignored, 1, 1-gates",
        "overlap-unasked, 14, 1-gates",
        "cancel-not-sent, 38, 7-stop",
        "unknown-outcome-never-lost, 6, 5-nothing-lost",
        "done-without-proof, 5, 4-proof",
        "owner-before-machine, 1, 1-gates",
        "numbers-used-again, 1, 9-journal",
        "zombies-not-fenced, 2, 9-journal"
    })
    void auditorDetectsABrokenCore(String name, long from, String invariant) {
        AuditedSimulationRun.AuditedSeed run = LongStream.range(from, from + MAX_SEEDS)
                .mapToObj(seed -> AuditedSimulationRun.of(seed, core(name).variant()))
                .filter(each -> !each.soundByTheSimulator())
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is detected in none of " + MAX_SEEDS + " seeds"));
        assertThat(run.violations())
                .first()
                .extracting(invariantViolation -> invariantViolation.invariant().label())
                .isEqualTo(invariant);
    }

    private static BrokenCore core(String name) {
        return BrokenCoreDetection.all().stream()
                .filter(core -> core.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
