package dev.flotilla.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.bench.harness.Measurement.BetterDirection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairedRunsTest {
    @Test
    void alternatesBothSidesAndDiscardsTheFirstPair() throws InterruptedException {
        List<String> order = new ArrayList<>();
        PairedRuns pairedRuns = PairedRuns.runPairs(2, () -> run(order, "A", 1), () -> run(order, "B", 2));
        assertThat(order).containsExactly("A", "B", "A", "B", "A", "B");
        assertThat(pairedRuns.ratios()).containsExactly(3.0 / 4, 5.0 / 6);
        assertThat(pairedRuns.flotilla()).isEqualTo(4);
        assertThat(pairedRuns.reference()).isEqualTo(5);
    }

    @Test
    void addsTheMedianRatio() {
        Measurements measurements = new Measurements();
        new PairedRuns(new double[] {7, 8, 9}, new double[] {10, 10, 10})
                .add(measurements, "P4", "name", "detail", BetterDirection.HIGHER, 0.4, 0.7);
        Measurement measurement = measurements.rows().getFirst();
        assertThat(measurement.value()).isCloseTo(0.8, within(1e-9));
        assertThat(measurement.isGating()).isFalse();
        assertThat(measurements.invalid()).isEmpty();
    }

    @Test
    void isInvalidIfThePlainClientVariesTooMuch() {
        Measurements measurements = new Measurements();
        new PairedRuns(new double[] {8, 8, 8}, new double[] {8, 10, 11})
                .add(measurements, "P4", "name", "detail", BetterDirection.HIGHER, 0.4, 0.7);
        assertThat(measurements.invalid())
                .extracting(Measurements.InvalidMeasurement::id)
                .containsExactly("P4");
    }

    private static double run(List<String> order, String name, int first) {
        order.add(name);
        return order.size() + first - 1 - (name.equals("B") ? 1 : 0);
    }
}
