package dev.flotilla.cli.simulate;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.simulator.rollout.VirtualRolloutResult;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualWorkerModel;
import dev.flotilla.simulator.run.SeedRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/** Many rollouts of the same campaigns, each with other durations, side by side. */
final class FleetRuns {
    private static final double HUNDRED = 100;

    /** One rollout; the seed tells its durations. */
    record Run(long seed, VirtualRolloutResult result) {}

    private final List<Run> byMakespan;

    private FleetRuns(List<Run> byMakespan) {
        this.byMakespan = byMakespan;
    }

    static FleetRuns play(
            DescribedFleet fleet,
            int failurePercent,
            UpgradePolicy policy,
            List<Campaign> campaigns,
            SeedRange seeds,
            LongConsumer progress)
            throws InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        List<Run> done = new ArrayList<>();
        try {
            List<Future<Run>> going = new ArrayList<>();
            for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
                long own = seed;
                going.add(threads.submit(() -> new Run(own, one(fleet, failurePercent, policy, campaigns, own))));
            }
            for (Future<Run> each : going) {
                done.add(each.get());
                progress.accept(done.size());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("run " + (done.size() + 1) + ": " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
        done.sort(Comparator.comparingLong((Run run) -> run.result().makespanMillis())
                .thenComparingLong(Run::seed));
        return new FleetRuns(done);
    }

    private static VirtualRolloutResult one(
            DescribedFleet fleet, int failurePercent, UpgradePolicy policy, List<Campaign> campaigns, long seed) {
        VirtualWorkerModel work = new VirtualWorkerModel(fleet.times(seed), List.of(AttemptStep.STARTING), failurePercent / HUNDRED, seed);
        return VirtualRollout.play(fleet.fleet(), work, policy, campaigns);
    }

    int count() {
        return byMakespan.size();
    }

    /** The run that so many of a hundred do not exceed. */
    Run percentile(int percent) {
        int index = (byMakespan.size() * percent + 99) / 100 - 1;
        return byMakespan.get(Math.max(0, index));
    }

    /** How many of a hundred took no longer than this. */
    double within(long millis) {
        long found = byMakespan.stream()
                .filter(run -> run.result().makespanMillis() <= millis)
                .count();
        return HUNDRED * found / byMakespan.size();
    }

    int peakInFlight() {
        return byMakespan.stream()
                .mapToInt(run -> run.result().peakInFlight())
                .max()
                .orElse(0);
    }

    /** Runs in which nothing waited at the end. */
    long whole() {
        return byMakespan.stream()
                .filter(run -> run.result().waiting().isEmpty())
                .count();
    }
}
