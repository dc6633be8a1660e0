package dev.flotilla.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real thing in a thousand worlds. A seed that fails is replayed by {@code ./flotilla simulate --seed N --transcript}. */
class SimulationTest {
    private static final SeedRange SEEDS = new SeedRange(1, Long.getLong("flotilla.seeds", 600));

    @Test
    void everyInvariantHoldsAndNothingIsStuckInAThousandWorlds() {
        SimulationReport report = Simulation.run(SEEDS);
        System.out.printf(
                Locale.ROOT,
                "simulation: seeds %d to %d, %d events, %d attempts, %d crashes, %.0f s%n",
                SEEDS.first(),
                SEEDS.last(),
                report.events(),
                report.attempts(),
                report.crashes(),
                report.seconds());
        assertThat(report.violations()).isEmpty();
        assertThat(report.stuck()).isEmpty();
        assertThat(report.seeds()).isEqualTo(SEEDS.count());
        assertThat(report.crashes()).isGreaterThanOrEqualTo(SEEDS.count());
        assertThat(report.attempts()).isGreaterThanOrEqualTo(10 * SEEDS.count());
    }

    /**
     * 1336: a machine opts out of one campaign while an attempt of another is open. 756: a change that did nothing says that it
     * is done, on a node that shows a later revision of the same track already.
     */
    @ParameterizedTest
    @ValueSource(longs = {756, 1336})
    void holdsInWorldsThatOnceFailed(long seed) {
        SimulationReport report = Simulation.run(new SeedRange(seed, seed));
        assertThat(report.violations()).isEmpty();
        assertThat(report.stuck()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 7, 4242})
    void aSeedTellsTheSameStoryEveryTime(long seed) {
        String story = Simulation.transcript(seed);
        assertThat(story).contains("leads, from seq").hasSizeGreaterThan(2000);
        assertThat(Simulation.transcript(seed)).isEqualTo(story);
    }
}
