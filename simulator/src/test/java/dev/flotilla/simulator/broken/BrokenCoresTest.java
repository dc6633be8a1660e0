package dev.flotilla.simulator.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A checker that lets a broken core through is no checker. */
class BrokenCoresTest {
    private static final int ENOUGH = 25;

    @Test
    void everyBrokenCoreIsCaughtWithinTheUsualSeeds() {
        BrokenReport report = BrokenCores.run(
                BrokenCores.SEEDS,
                caught -> System.out.printf(
                        "broken core %-32s caught by seed %3d: %s%n",
                        caught.name(), caught.seed(), caught.invariant()));
        assertThat(report.uncaught()).extracting(BrokenCore::name).isEmpty();
        assertThat(report.caught())
                .extracting(Caught::name)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(ENOUGH);
    }
}
