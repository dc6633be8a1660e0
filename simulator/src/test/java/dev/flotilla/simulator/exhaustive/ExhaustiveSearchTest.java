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

/** The search finds what is broken by going through everything, and nothing where all is well. */
class ExhaustiveSearchTest {
    private static final int SHALLOW = 7;

    @Test
    void nothingIsBrokenInAnyOrderOfEvents() {
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult =
                ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW, (depth, states) -> {});
        assertThat(exhaustiveSearchResult.violations()).isEmpty();
        assertThat(exhaustiveSearchResult.depth()).isEqualTo(SHALLOW);
        assertThat(exhaustiveSearchResult.complete()).isFalse();
        assertThat(exhaustiveSearchResult.states()).isGreaterThan(1000);
    }

    @Test
    void itGoesThroughTheSameStatesAgain() {
        assertThat(ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW - 2, (depth, states) -> {}))
                .isEqualTo(ExhaustiveSearch.run(SystemUnderTest.REAL, SHALLOW - 2, (depth, states) -> {}));
    }

    @Test
    void aCallThatIsMadeAgainIsFoundWithAllThatLedToIt() {
        WorkerSafeguards careless = new WorkerSafeguards(true, true, true, false, true, true);
        ExhaustiveSearch.ExhaustiveSearchResult exhaustiveSearchResult =
                ExhaustiveSearch.run(SystemUnderTest.REAL.with(careless), SHALLOW, (depth, states) -> {});
        assertThat(exhaustiveSearchResult.violations())
                .isNotEmpty()
                .allSatisfy(
                        modelViolation -> assertThat(modelViolation.invariant()).isEqualTo(Invariant.ONE_CALL));
        assertThat(exhaustiveSearchResult.violations().get(0).path())
                .hasSizeLessThanOrEqualTo(SHALLOW)
                .anyMatch(move -> move.endsWith("calls, and the answer is lost"));
    }

    @Test
    void aCapThatIsIgnoredIsFound() {
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
