package dev.flotilla.bench.core;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * P6, P7, P23 and decisions per second: fleets of four sizes, in turn, in one JVM. The first rounds warm up the
 * compiler, which adapts to each size, and are discarded.
 */
final class ScalingBenchmark {
    private static final int WARMING_ROUNDS = 2;
    private static final int ROUNDS = 5;
    private static final int ALLOCATION_ROUNDS = 3;
    private static final double MAX_VARIATION = 0.25;
    private static final double SECOND = 1e9;
    private static final Size K1 = new Size("1k", 1_000, 50);
    private static final Size K10 = new Size("10k", 10_000, 10);
    private static final Size K100 = new Size("100k", 100_000, 1);
    private static final Size M1 = new Size("1M", 1_000_000, 1);
    private static final List<Size> SIZES = List.of(K1, K10, K100, M1);

    private final List<List<FleetUpgradeCost>> rounds = new ArrayList<>();
    private final List<Double> allocations = new ArrayList<>();

    /** A fleet size, and how many fleets run in a row, so that there is enough to measure. */
    private record Size(String name, int machines, int fleets) {}

    void measure(Consumer<String> progress) {
        for (int round = 1; round <= WARMING_ROUNDS; round++) {
            runRound("warming up, " + round + " of " + WARMING_ROUNDS, progress);
        }
        for (int round = 1; round <= ROUNDS; round++) {
            rounds.add(runRound("round " + round + " of " + ROUNDS, progress));
        }
    }

    private static List<FleetUpgradeCost> runRound(String what, Consumer<String> progress) {
        List<FleetUpgradeCost> costsBySize = new ArrayList<>();
        for (Size size : SIZES) {
            progress.accept(what + ", " + size.name() + " machines");
            costsBySize.add(FleetUpgradeCost.measureUpgrades(size.machines(), size.fleets()));
        }
        return costsBySize;
    }

    /** Measures allocation only, for one size and in fewer rounds. */
    void measureAllocation(Consumer<String> progress) {
        for (int round = 1; round <= ALLOCATION_ROUNDS; round++) {
            progress.accept("round " + round + " of " + ALLOCATION_ROUNDS + ", " + K100.name() + " machines");
            allocations.add(FleetUpgradeCost.measureUpgrades(K100.machines(), K100.fleets())
                    .bytes());
        }
    }

    void addCosts(Measurements measurements) {
        double[] exponents =
                rounds.stream().mapToDouble(ScalingBenchmark::exponent).toArray();
        measurements.add(Measurement.judgedMeasurement(
                "P6",
                "scaling exponent of total CPU, 10k to 1M machines",
                null,
                Statistics.median(exponents),
                "exponent",
                BetterDirection.LOWER,
                1.10,
                1.03,
                Statistics.spread(exponents)));
        measurements.add(Measurement.gatingMeasurement(
                "P7a",
                "bytes allocated per decision, 1M / 10k machines",
                null,
                Statistics.median(ratios(FleetUpgradeCost::bytes)),
                "ratio",
                BetterDirection.LOWER,
                1.5,
                1.2));
        double[] cpu = ratios(FleetUpgradeCost::decisionNanos);
        measurements.add(Measurement.judgedMeasurement(
                "P7b",
                "CPU per decision, 1M / 10k machines",
                null,
                Statistics.median(cpu),
                "ratio",
                BetterDirection.LOWER,
                1.5,
                1.2,
                Statistics.spread(cpu)));
        double variation = Statistics.variation(all(K10, FleetUpgradeCost::decisionNanos));
        if (variation > MAX_VARIATION) {
            String reason = "the runs with 10k machines vary by " + Math.round(variation * 100) + " %";
            measurements.addInvalid("P6", reason);
            measurements.addInvalid("P7b", reason);
        }
    }

    void addAllocation(Measurements measurements) {
        measurements.add(Measurement.gatingMeasurement(
                "P23",
                "bytes allocated per decision in the core",
                "100k machines",
                Statistics.median(allocated()),
                "B",
                BetterDirection.LOWER,
                1500,
                500));
    }

    private double[] allocated() {
        return rounds.isEmpty()
                ? allocations.stream().mapToDouble(Double::doubleValue).toArray()
                : all(K100, FleetUpgradeCost::bytes);
    }

    void addRates(Measurements measurements) {
        for (Size size : SIZES) {
            measurements.add(Measurement.informationalMeasurement(
                    "D" + size.name(),
                    "decisions per second of CPU, " + size.name() + " machines, 30 a cluster",
                    null,
                    SECOND / Statistics.median(all(size, FleetUpgradeCost::decisionNanos)),
                    "1/s",
                    BetterDirection.HIGHER));
        }
    }

    private static double exponent(List<FleetUpgradeCost> round) {
        List<FleetUpgradeCost> costsBySize = round.subList(SIZES.indexOf(K10), SIZES.size());
        double[] sizes =
                costsBySize.stream().mapToDouble(FleetUpgradeCost::machines).toArray();
        double[] costs = costsBySize.stream()
                .mapToDouble(fleetUpgradeCost -> fleetUpgradeCost.totalNanos() * fleetUpgradeCost.machines())
                .toArray();
        return Statistics.exponent(sizes, costs);
    }

    private double[] ratios(ToDoubleFunction<FleetUpgradeCost> of) {
        double[] above = all(M1, of);
        double[] below = all(K10, of);
        double[] ratios = new double[above.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = above[i] / below[i];
        }
        return ratios;
    }

    private double[] all(Size size, ToDoubleFunction<FleetUpgradeCost> of) {
        int index = SIZES.indexOf(size);
        return rounds.stream()
                .mapToDouble(round -> of.applyAsDouble(round.get(index)))
                .toArray();
    }
}
