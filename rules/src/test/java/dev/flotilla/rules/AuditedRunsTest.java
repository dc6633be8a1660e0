package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.Violation;
import dev.flotilla.simulator.broken.BrokenCore;
import dev.flotilla.simulator.broken.BrokenCores;
import dev.flotilla.simulator.run.RecordedRun;
import dev.flotilla.simulator.run.Variant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The auditor reads what the simulator wrote: two programs that share no code agree on what is sound and what is not. */
class AuditedRunsTest {
    private static final int RUNS = 15;

    /** Whoever changes the simulated world moves the seeds that find a broken core out. */
    private static final long ENOUGH = 200;

    @Test
    void findsNothingWrongInSoundRuns() {
        int audited = 0;
        for (long seed = 1; audited < RUNS; seed++) {
            RecordedRun.Audited run = RecordedRun.of(seed, Variant.REAL);
            if (!run.whole()) {
                continue;
            }
            audited++;
            assertThat(run.violations()).as("violations in seed " + seed).isEmpty();
            assertThat(run.soundByTheSimulator())
                    .as("soundness of seed " + seed)
                    .isTrue();
            assertThat(run.audit().isSettled())
                    .as("whether seed " + seed + " is judged")
                    .isTrue();
            assertThat(run.audit().decisions()).isEqualTo(run.audit().seq()).isPositive();
        }
    }

    /** From these seeds on: in the first in which the simulator finds it out, and the auditor finds this before anything else. */
    @ParameterizedTest
    @CsvSource({
        "fleet-cap-off-by-one, 3, 1-caps",
        "control-plane-order-ignored, 1, 2-cluster",
        "unready-not-counted, 2, 2-cluster",
        "budget-off-by-one, 48, 6-budget",
        "freeze-ignored, 1, 7-stop",
        "waves-ignored, 1, 1-gates",
        "overlap-unasked, 14, 1-gates",
        "cancel-not-sent, 38, 7-stop",
        "lost-never-declared, 6, 5-nothing-lost",
        "done-without-proof, 5, 4-proof",
        "owner-before-machine, 1, 1-gates",
        "numbers-used-again, 1, 9-journal",
        "zombies-not-fenced, 1, 9-journal"
    })
    void findsABrokenCoreOut(String name, long from, String invariant) {
        assertThat(LongStream.range(from, from + ENOUGH).anyMatch(seed -> {
                    RecordedRun.Audited run = RecordedRun.of(seed, core(name).variant());
                    List<Violation> found = run.violations();
                    return !run.soundByTheSimulator()
                            && !found.isEmpty()
                            && found.get(0).invariant().label().equals(invariant);
                }))
                .as("%s is found out within %d seeds from %d on", name, ENOUGH, from)
                .isTrue();
    }

    private static BrokenCore core(String name) {
        return BrokenCores.all().stream()
                .filter(core -> core.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
