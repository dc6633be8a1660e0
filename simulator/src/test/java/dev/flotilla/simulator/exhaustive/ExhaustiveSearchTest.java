package dev.flotilla.simulator.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import org.junit.jupiter.api.Test;

/** The search detects broken systems by exploring every sequence of events, and finds no violation in the real one. */
class ExhaustiveSearchTest {
    private static final int SHALLOW = 7;

    @Test
    void realSystemHoldsInEveryOrderOfEvents() {
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult =
                ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW, (depth, states) -> {});
        assertThat(exhaustiveSearchResult.violations()).isEmpty();
        assertThat(exhaustiveSearchResult.depth()).isEqualTo(SHALLOW);
        assertThat(exhaustiveSearchResult.complete()).isFalse();
        assertThat(exhaustiveSearchResult.states()).isGreaterThan(1000);
    }

    @Test
    void searchIsRepeatable() {
        assertThat(ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW - 2, (depth, states) -> {}))
                .isEqualTo(ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW - 2, (depth, states) -> {}));
    }

    @Test
    void searchFindsARepeatedCallWithItsPath() {
        WorkerSafeguards repeatingCalls = new WorkerSafeguards(true, true, true, false, true, true);
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult =
                ExhaustiveSearch.run(SystemUnderTest.REAL.with(repeatingCalls), SHALLOW, (depth, states) -> {});
        assertThat(exhaustiveSearchResult.violations())
                .isNotEmpty()
                .allSatisfy(
                        modelViolation -> assertThat(modelViolation.invariant()).isEqualTo(Invariant.ONE_CALL));
        assertThat(exhaustiveSearchResult.violations().get(0).path())
                .hasSizeLessThanOrEqualTo(SHALLOW)
                .anyMatch(move -> move.endsWith("calls, and the response is lost"));
    }

    @Test
    void searchFindsAnIgnoredCap() {
        GateChain open = GateChain.standard()
                .with(
                        GateLabel.FLEET_CAP,
                        gate -> new Gate(
                                gate.label(), gate.level(), gate.leaseEffect(), candidate -> true, gate.explain()));
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult = ExhaustiveSearch.run(
                SystemUnderTest.REAL.with(() -> new FleetDecider(open)), SHALLOW, (depth, states) -> {});
        assertThat(exhaustiveSearchResult.violations())
                .extracting(ExhaustiveSearch.ModelViolation::invariant)
                .contains(Invariant.CAPS);
    }
}
