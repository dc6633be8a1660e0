package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * P13 and P14: how often workers poll changes and how soon they notice the end, in virtual time. The worker starts
 * without knowledge of such machines, and its polls while it learns count.
 */
final class PollIntervalBenchmark implements Benchmark {
    private static final Duration MEDIAN = Duration.ofMinutes(3);
    private static final Duration LONG_INTERVAL = Duration.ofSeconds(10);
    private static final double WIDE = 0.25;
    private static final double NARROW = 0.1;
    private static final int UPGRADES = 5_000;
    private static final int AT_ONCE = 100;
    private static final int SEEDS = 5;
    private static final double SECOND = 1e3;

    /** Result of one rollout: polls for each upgrade, and delays and work in seconds. */
    private record Result(long seed, double polls, double delay, double late, double work) {
        double product() {
            return polls * delay / work;
        }
    }

    @Override
    public List<String> ids() {
        return List.of("P13a", "P13b", "P14a", "P14b");
    }

    @Override
    public void measure(Measurements measurements) {
        addProduct(measurements, "P13a", WIDE, 0.35, 0.26);
        addProduct(measurements, "P13b", NARROW, 0.25, 0.13);
        addPolls(measurements, "P14a", PollIntervalEstimator.DEFAULT_INTERVAL, 25, 19);
        addPolls(measurements, "P14b", LONG_INTERVAL, 14, 10);
    }

    private static void addProduct(Measurements measurements, String id, double sigma, double floor, double goal) {
        Result worst = Collections.max(
                run(PollIntervalEstimator.DEFAULT_INTERVAL, sigma), Comparator.comparingDouble(Result::product));
        measurements.add(Measurement.gatingMeasurement(
                id,
                "polls x mean detection delay / mean duration, sigma " + sigma,
                describeResult(worst, PollIntervalEstimator.DEFAULT_INTERVAL),
                worst.product(),
                "ratio",
                BetterDirection.LOWER,
                floor,
                goal));
    }

    /** Adds the number of polls; valid only if nearly all ends are noticed within the interval. */
    private static void addPolls(Measurements measurements, String id, Duration interval, double floor, double goal) {
        List<Result> results = run(interval, WIDE);
        Result late = Collections.max(results, Comparator.comparingDouble(Result::late));
        if (late.late() > interval.toSeconds()) {
            measurements.addInvalid(
                    id,
                    String.format(
                            Locale.ROOT,
                            "with seed %d the 95th percentile of the delays is %.2f s",
                            late.seed(),
                            late.late()));
            return;
        }
        Result worst = Collections.max(results, Comparator.comparingDouble(Result::polls));
        measurements.add(Measurement.gatingMeasurement(
                id,
                "status polls per 180 s upgrade, p95 of the delays <= " + interval.toSeconds() + " s",
                describeResult(worst, interval),
                worst.polls(),
                "polls",
                BetterDirection.LOWER,
                floor,
                goal));
    }

    private static String describeResult(Result result, Duration interval) {
        return String.format(
                Locale.ROOT,
                "worst of %d seeds: %d; %d upgrades, %d at once, pollInterval %d s: %.2f polls, delay %.2f s, p95 %.2f s",
                SEEDS,
                result.seed(),
                UPGRADES,
                AT_ONCE,
                interval.toSeconds(),
                result.polls(),
                result.delay(),
                result.late());
    }

    private static List<Result> run(Duration interval, double sigma) {
        return IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> run(interval, sigma, seed))
                .toList();
    }

    private static Result run(Duration interval, double sigma, long seed) {
        MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(UPGRADES, MEDIAN, sigma, seed);
        VirtualClockScheduler scheduler = new VirtualClockScheduler();
        PollIntervalEstimator pollIntervalEstimator = new PollIntervalEstimator(interval, new SplittableRandom(seed));
        ArrayDeque<VirtualTimeUpgrade> waiting = new ArrayDeque<>();
        VirtualTimeUpgrade[] all = new VirtualTimeUpgrade[UPGRADES];
        for (int i = 0; i < UPGRADES; i++) {
            all[i] = new VirtualTimeUpgrade(scheduler, pollIntervalEstimator, i, times.millis(i), () -> next(waiting));
            waiting.add(all[i]);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            next(waiting);
        }
        boolean more = true;
        while (more) {
            more = scheduler.next() < Long.MAX_VALUE && scheduler.step(Long.MAX_VALUE);
        }
        long[] delays =
                Arrays.stream(all).mapToLong(VirtualTimeUpgrade::delay).sorted().toArray();
        return new Result(
                seed,
                Arrays.stream(all).mapToInt(VirtualTimeUpgrade::polls).average().orElseThrow(),
                Arrays.stream(delays).average().orElseThrow() / SECOND,
                delays[UPGRADES * 95 / 100] / SECOND,
                IntStream.range(0, UPGRADES).mapToLong(times::millis).average().orElseThrow() / SECOND);
    }

    private static void next(ArrayDeque<VirtualTimeUpgrade> waiting) {
        VirtualTimeUpgrade upgrade = waiting.poll();
        if (upgrade != null) {
            upgrade.begin();
        }
    }
}
