package dev.flotilla.bench.core;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.MakespanBound;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualRolloutResult;
import dev.flotilla.simulator.rollout.VirtualWorkerModel;
import java.time.Duration;
import java.util.List;

/** P1: makespan bound divided by the makespan of the core, in virtual time. The worst value is reported. */
final class MakespanBenchmark {
    private static final Duration WORK = Duration.ofMinutes(5);
    private static final double SIGMA = 0.25;
    private static final int SEEDS = 3;
    private static final int[] CAPS = {100, 500, 5000};
    private static final double FLOOR = 0.97;
    private static final double GOAL_EQUAL = 0.995;
    private static final double GOAL_LOGNORMAL = 0.98;

    /** Sizes that are nearly multiples of each cap, so that a half-empty last round does not count as loss. */
    private static final List<Named> FLEETS = List.of(
            new Named("1,000 clusters of 30", CoreBenchmarkFleets.uniform(30_000)),
            new Named("600 clusters of 1 to 100", CoreBenchmarkFleets.mixed(6)),
            new Named("600 clusters of 1 to 100 and one of 300", CoreBenchmarkFleets.mixedWithLarge(6)));

    private record Named(String name, VirtualFleet fleet) {}

    private record Worst(double value, String conditions) {
        Worst with(double other, String otherConditions) {
            return other < value ? new Worst(other, otherConditions) : this;
        }
    }

    private MakespanBenchmark() {}

    static Measurement measureEqualDurations() {
        Worst worst = new Worst(Double.MAX_VALUE, "");
        for (Named named : FLEETS) {
            MachineUpgradeDurations times =
                    MachineUpgradeDurations.equal(named.fleet().machines(), WORK);
            for (int cap : CAPS) {
                worst = worst.with(efficiency(named.fleet(), times, cap), named.name() + ", cap " + cap);
            }
        }
        return Measurement.gatingMeasurement(
                "P1a",
                "rollout efficiency, equal durations",
                "worst: " + worst.conditions(),
                worst.value(),
                "of the bound",
                BetterDirection.HIGHER,
                FLOOR,
                GOAL_EQUAL);
    }

    static Measurement measureLognormalDurations() {
        Worst worst = new Worst(Double.MAX_VALUE, "");
        for (Named named : FLEETS) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                MachineUpgradeDurations times =
                        MachineUpgradeDurations.lognormal(named.fleet().machines(), WORK, SIGMA, seed);
                for (int cap : CAPS) {
                    String conditions = "seed " + seed + ", " + named.name() + ", cap " + cap;
                    worst = worst.with(efficiency(named.fleet(), times, cap), conditions);
                }
            }
        }
        return Measurement.gatingMeasurement(
                "P1b",
                "rollout efficiency, lognormal 0.25",
                "worst: " + worst.conditions(),
                worst.value(),
                "of the bound",
                BetterDirection.HIGHER,
                FLOOR,
                GOAL_LOGNORMAL);
    }

    private static double efficiency(VirtualFleet fleet, MachineUpgradeDurations times, int cap) {
        VirtualRolloutResult result = VirtualRollout.play(
                fleet,
                CoreBenchmarkFleets.rows(),
                VirtualWorkerModel.faultless(times),
                CoreBenchmarkFleets.policy(cap),
                List.of(CoreBenchmarkFleets.campaign()));
        if (result.succeeded() != fleet.machines() || result.peakInFlight() > cap) {
            throw new IllegalStateException("a rollout did not complete: " + result);
        }
        long bound = MakespanBound.fleetMillis(fleet, times, cap, CoreBenchmarkFleets.MAX_UNAVAILABLE);
        return (double) bound / result.makespanMillis();
    }
}
