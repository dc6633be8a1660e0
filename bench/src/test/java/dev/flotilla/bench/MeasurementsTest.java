package dev.flotilla.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurement.MeasurementVerdict;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.Statistics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MeasurementsTest {
    private static final BenchmarkEnvironment HERE = new BenchmarkEnvironment("abc", 2, 1024, "25", null, 0.5);

    @Test
    void computesTheExponent() {
        double[] sizes = {1e4, 1e5, 1e6};
        double[] costs = {3 * Math.pow(1e4, 1.07), 3 * Math.pow(1e5, 1.07), 3 * Math.pow(1e6, 1.07)};
        assertThat(Statistics.exponent(sizes, costs)).isCloseTo(1.07, within(1e-9));
    }

    @Test
    void computesTheMedian() {
        assertThat(Statistics.median(9, 1, 5)).isEqualTo(5);
        assertThat(Statistics.median(9, 1, 5, 7)).isEqualTo(6);
    }

    @Test
    void computesTheIntervalOfTheMedian() {
        Measurement.ConfidenceInterval confidenceInterval = Statistics.spread(1.0, 1.1, 1.2, 1.3, 1.4);
        assertThat(confidenceInterval.pairs()).isEqualTo(5);
        assertThat(confidenceInterval.low()).isBetween(1.0, 1.2);
        assertThat(confidenceInterval.high()).isBetween(1.2, 1.4);
        assertThat(Statistics.spread(1.0, 1.1, 1.2, 1.3, 1.4)).isEqualTo(confidenceInterval);
        assertThat(Statistics.spread(2, 2, 2, 2, 2)).isEqualTo(new Measurement.ConfidenceInterval(5, 2, 2));
    }

    @Test
    void computesTheVariation() {
        assertThat(Statistics.variation(8, 10, 12)).isCloseTo(0.4, within(1e-9));
    }

    @Test
    void meetsFloorAndGoalInItsDirection() {
        assertThat(heap(220).verdict()).isEqualTo(MeasurementVerdict.GOAL);
        assertThat(heap(221).verdict()).isEqualTo(MeasurementVerdict.FLOOR);
        assertThat(heap(401).verdict()).isEqualTo(MeasurementVerdict.NO);
        Measurement efficiency =
                Measurement.gatingMeasurement("P1a", "n", null, 0.97, "u", BetterDirection.HIGHER, 0.97, 0.995);
        assertThat(efficiency.verdict()).isEqualTo(MeasurementVerdict.FLOOR);
    }

    @Test
    void failsOnlyBelowTheFloorOfAGatingValue() {
        Measurements measurements = new Measurements();
        measurements.add(heap(399));
        measurements.add(Measurement.judgedMeasurement(
                "P6",
                "n",
                null,
                2,
                "u",
                BetterDirection.LOWER,
                1.1,
                1.03,
                new Measurement.ConfidenceInterval(5, 1.9, 2.1)));
        measurements.add(Measurement.informationalMeasurement("D1k", "n", null, 1, "1/s", BetterDirection.HIGHER));
        assertThat(measurements.fail()).isFalse();
        measurements.add(heap(401));
        assertThat(measurements.fail()).isTrue();
    }

    @Test
    void failsForAMissingValueButNotForAnInvalidOne() {
        Measurements measurements = new Measurements();
        measurements.addInvalid("P3", "crowded");
        assertThat(measurements.fail()).isFalse();
        measurements.addMissing("P4", "not all reports decided on within 180 s");
        assertThat(measurements.fail()).isTrue();
        assertThat(MeasurementTable.of(measurements))
                .contains("invalid: P4: not measured: not all reports decided on within 180 s");
    }

    @Test
    void writesStableJson() {
        Measurements measurements = new Measurements();
        measurements.add(Measurement.judgedMeasurement(
                "P6",
                "growth",
                null,
                1.0525,
                "exponent",
                BetterDirection.LOWER,
                1.1,
                1.03,
                new Measurement.ConfidenceInterval(5, 1.04, 1.06)));
        measurements.add(
                Measurement.informationalMeasurement("D1M", "rate", "one core", 123456, "1/s", BetterDirection.HIGHER));
        measurements.addInvalid("P6", "crowded");
        assertThat(new String(MeasurementJson.of(measurements, HERE), StandardCharsets.UTF_8))
                .isEqualTo("{\"commit\":\"abc\","
                        + "\"machine\":{\"cpus\":2,\"memory\":1024,\"java\":\"25\",\"kafka\":null},"
                        + "\"rows\":["
                        + "{\"id\":\"P6\",\"name\":\"growth\",\"detail\":null,\"value\":1.0525,\"unit\":\"exponent\","
                        + "\"better\":\"lower\",\"floor\":1.1,\"goal\":1.03,\"meets\":\"floor\",\"gates\":false,"
                        + "\"pairs\":5,\"interval\":[1.04,1.06]},"
                        + "{\"id\":\"D1M\",\"name\":\"rate\",\"detail\":\"one core\",\"value\":123456,\"unit\":\"1/s\","
                        + "\"better\":\"higher\",\"floor\":null,\"goal\":null,\"meets\":\"goal\",\"gates\":false,"
                        + "\"pairs\":null,\"interval\":null}],"
                        + "\"invalid\":[{\"id\":\"P6\",\"why\":\"crowded\"}]}");
    }

    @Test
    void alignsTheTableColumns() {
        Measurements measurements = new Measurements();
        measurements.add(heap(219.5));
        measurements.add(
                Measurement.informationalMeasurement("D1M", "rate", null, 123456, "1/s", BetterDirection.HIGHER));
        measurements.addInvalid("D1M", "crowded");
        assertThat(MeasurementTable.of(measurements).lines())
                .containsExactly(
                        "id   name           value  unit  floor  goal  meets",
                        "P8   heap (of 1M)   219.5  B       400   220  goal",
                        "D1M  rate          123456  1/s       -     -  -",
                        "invalid: D1M: crowded");
    }

    @Test
    void formatsNumbers() {
        assertThat(List.of(0.97571, 1.0, 12.346, 400.0, 151.26, 98765.4).stream()
                        .map(MeasurementTable::number))
                .containsExactly("0.9757", "1", "12.35", "400", "151.3", "98765");
    }

    @Test
    void rejectsAnUnknownBenchmarkAndListsTheKnownOnes() {
        CommandLine command = new CommandLine(new Main());
        StringWriter errors = new StringWriter();
        command.setErr(new PrintWriter(errors, true));
        assertThat(command.execute("cpre")).isEqualTo(2);
        assertThat(errors.toString())
                .contains("there is no benchmark cpre; benchmarks: core, kafka, worker, watcher, cluster-api, all");
        assertThat(command.execute()).isEqualTo(2);
    }

    private static Measurement heap(double bytes) {
        return Measurement.gatingMeasurement("P8", "heap", "of 1M", bytes, "B", BetterDirection.LOWER, 400, 220);
    }
}
