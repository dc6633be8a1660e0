package dev.flotilla.simulator.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Variant;
import dev.flotilla.simulator.worker.WorkerHabits;
import org.junit.jupiter.api.Test;

/** The search finds what is broken by going through everything, and nothing where all is well. */
class ExhaustiveTest {
    private static final int SHALLOW = 7;

    @Test
    void nothingIsBrokenInAnyOrderOfEvents() {
        Exhaustive.Result result = Exhaustive.run(Variant.REAL, SHALLOW, (depth, states) -> {});
        assertThat(result.violations()).isEmpty();
        assertThat(result.depth()).isEqualTo(SHALLOW);
        assertThat(result.complete()).isFalse();
        assertThat(result.states()).isGreaterThan(1000);
    }

    @Test
    void itGoesThroughTheSameStatesAgain() {
        assertThat(Exhaustive.run(Variant.REAL, SHALLOW - 2, (depth, states) -> {}))
                .isEqualTo(Exhaustive.run(Variant.REAL, SHALLOW - 2, (depth, states) -> {}));
    }

    @Test
    void aCallThatIsMadeAgainIsFoundWithAllThatLedToIt() {
        WorkerHabits careless = new WorkerHabits(true, true, true, false, true, true);
        Exhaustive.Result result = Exhaustive.run(Variant.REAL.with(careless), SHALLOW, (depth, states) -> {});
        assertThat(result.violations())
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(violation.invariant()).isEqualTo(Invariant.ONE_CALL));
        assertThat(result.violations().get(0).path())
                .hasSizeLessThanOrEqualTo(SHALLOW)
                .anyMatch(move -> move.endsWith("calls, and the answer is lost"));
    }

    @Test
    void aCapThatIsIgnoredIsFound() {
        GateChain open = GateChain.standard()
                .with(
                        GateLabel.FLEET_CAP,
                        gate -> new Gate(gate.label(), gate.level(), gate.leaseEffect(), candidate -> true, gate.explain()));
        Exhaustive.Result result =
                Exhaustive.run(Variant.REAL.with(() -> new FleetDecider(open)), SHALLOW, (depth, states) -> {});
        assertThat(result.violations())
                .extracting(Exhaustive.Violation::invariant)
                .contains(Invariant.CAPS);
    }
}
