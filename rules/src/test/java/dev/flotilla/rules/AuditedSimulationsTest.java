package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.broken.BrokenCore;
import dev.flotilla.simulator.broken.BrokenCoreDetection;
import dev.flotilla.simulator.run.AuditedSimulationRun;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Audits simulated runs: auditor and simulator, which share no code, must agree which runs violate an invariant. */
class AuditedSimulationsTest {
    /** Seeds of correct runs. Among them are sites that are adopted after they lost records, and rows that are withheld. */
    private static final long SEEDS = 130;

    /** How many of them must have an unreachable site, and how many must have none. */
    private static final int RUNS_OF_A_KIND = 12;

    /** Seeds to search at most; a change of the simulated world changes which seeds detect a broken core. */
    private static final long MAX_SEEDS = 200;

    @Test
    void auditorReportsNoViolationInCorrectRuns() {
        List<Boolean> away = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(AuditedSimulationsTest::auditCorrectRun)
                .toList();
        assertThat(away).filteredOn(isAway -> isAway).hasSizeGreaterThan(RUNS_OF_A_KIND);
        assertThat(away).filteredOn(isAway -> !isAway).hasSizeGreaterThan(RUNS_OF_A_KIND);
    }

    /** Requires that a run passes the audit; returns whether one of its sites was unreachable for a while. */
    private static boolean auditCorrectRun(long seed) {
        AuditedSimulationRun.AuditedSeed run = AuditedSimulationRun.of(seed);
        assertThat(run.violations()).as("violations in seed " + seed).isEmpty();
        assertThat(run.soundByTheSimulator()).as("soundness of seed " + seed).isTrue();
        assertThat(run.complete()).as("whether seed " + seed + " is judged").isTrue();
        assertThat(run.decisions())
                .as("decisions of seed " + seed)
                .isEqualTo(run.seq())
                .isPositive();
        return run.away();
    }

    /**
     * For each broken core: the seed to start from, and the invariant that the auditor reports first in the first seed
     * in which the simulator detects it.
     */
    @ParameterizedTest
    @CsvSource({
        "fleet-cap-off-by-one, 5, 1-caps",
        "control-planes-together, 1, 2-cluster",
        "unready-not-counted, 2, 2-cluster",
        "budget-off-by-one, 43, 6-budget",
        "freeze-ignored, 2, 7-stop",
        "waves-ignored, 2, 1-gates",
        "overlap-unasked, 14, 1-gates",
        "cancel-not-sent, 58, 7-stop",
        "unknown-outcome-never-lost, 22, 5-nothing-lost",
        "done-without-proof, 5, 4-proof",
        "pause-aborts-what-runs, 15, 7-stop",
        "second-node-upgrade-after-unknown, 7, 3-one-call",
        "release-leads-control-plane, 15, 1-gates",
        "owner-before-machine, 4, 1-gates",
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
