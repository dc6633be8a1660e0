package dev.flotilla.cli.simulate;

import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.simulator.rollout.VirtualRollout;
import dev.flotilla.simulator.rollout.VirtualRolloutResult;
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

/** Many virtual rollouts of the same campaigns, each with other durations, run in parallel. */
final class FleetSimulationBatch {
    private static final double HUNDRED = 100;

    /** One rollout; its seed determines the durations. */
    record SeededRollout(long seed, VirtualRolloutResult result) {}

    private final List<SeededRollout> byMakespan;

    private FleetSimulationBatch(List<SeededRollout> byMakespan) {
        this.byMakespan = byMakespan;
    }

    static FleetSimulationBatch play(
            DescribedFleetBuilder fleet,
            int failurePercent,
            UpgradePolicy policy,
            List<Campaign> campaigns,
            SeedRange seeds,
            LongConsumer progress)
            throws InterruptedException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        List<SeededRollout> done = new ArrayList<>();
        try {
            List<Future<SeededRollout>> going = new ArrayList<>();
            for (long seed = seeds.first(); seed <= seeds.last(); seed++) {
                long own = seed;
                going.add(threads.submit(
                        () -> new SeededRollout(own, runRollout(fleet, failurePercent, policy, campaigns, own))));
            }
            for (Future<SeededRollout> each : going) {
                done.add(each.get());
                progress.accept(done.size());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("run " + (done.size() + 1) + ": " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
        done.sort(Comparator.comparingLong(
                        (SeededRollout seededRollout) -> seededRollout.result().makespanMillis())
                .thenComparingLong(SeededRollout::seed));
        return new FleetSimulationBatch(done);
    }

    private static VirtualRolloutResult runRollout(
            DescribedFleetBuilder fleet,
            int failurePercent,
            UpgradePolicy policy,
            List<Campaign> campaigns,
            long seed) {
        VirtualWorkerModel work = new VirtualWorkerModel(
                fleet.times(seed), List.of(AttemptStep.STARTING), failurePercent / HUNDRED, seed);
        return VirtualRollout.play(fleet.fleet(), work, policy, campaigns);
    }

    int count() {
        return byMakespan.size();
    }

    /** Finds the run at a percentile. */
    SeededRollout percentile(int percent) {
        int index = (byMakespan.size() * percent + 99) / 100 - 1;
        return byMakespan.get(Math.max(0, index));
    }

    /** Percentage of runs that took no longer than this. */
    double runsWithin(long millis) {
        long found = byMakespan.stream()
                .filter(seededRollout -> seededRollout.result().makespanMillis() <= millis)
                .count();
        return HUNDRED * found / byMakespan.size();
    }

    int peakInFlight() {
        return byMakespan.stream()
                .mapToInt(seededRollout -> seededRollout.result().peakInFlight())
                .max()
                .orElse(0);
    }

    /** Number of runs in which no machine waited at the end. */
    long completeRuns() {
        return byMakespan.stream()
                .filter(seededRollout -> seededRollout.result().waiting().isEmpty())
                .count();
    }
}
