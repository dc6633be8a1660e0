package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.SimulationRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Searches for the first seed that detects each broken core, by a violation of the expected invariants. */
public final class BrokenCoreDetection {
    /** The seeds within which each broken core must be detected. */
    public static final SeedRange SEEDS = new SeedRange(1, 400);

    private BrokenCoreDetection() {}

    public static List<BrokenCore> all() {
        List<BrokenCore> all = new ArrayList<>();
        all.addAll(BrokenGateCores.all());
        all.addAll(BrokenGateConditionCores.all());
        all.addAll(BrokenAttemptCores.all());
        all.addAll(BrokenStateTrackingCores.all());
        all.addAll(BrokenWaveCores.all());
        all.addAll(BrokenConstraintCores.all());
        all.addAll(BrokenMaintenanceWindowCores.all());
        all.addAll(BrokenFailureBudgetCores.all());
        all.addAll(BrokenFailureCohortCores.all());
        all.addAll(BrokenVersionSkewCores.all());
        all.addAll(BrokenProviderCores.all());
        all.addAll(BrokenPreparationCores.all());
        all.addAll(BrokenIntentCores.all());
        all.addAll(BrokenOperatorOrderCores.all());
        all.addAll(BrokenApprovalCores.all());
        all.addAll(BrokenInventoryCores.all());
        all.addAll(BrokenProcessCores.all());
        all.addAll(BrokenTopicRecreationCores.all());
        all.addAll(BrokenLivenessCores.all());
        return all;
    }

    public static BrokenCoreReport run(SeedRange seeds, Consumer<DetectedBrokenCore> progress) {
        List<DetectedBrokenCore> caught = new ArrayList<>();
        List<BrokenCore> uncaught = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<BrokenCore> cores = all();
            List<Future<SimulationRunner.@Nullable FirstViolation>> searches = new ArrayList<>();
            for (BrokenCore core : cores) {
                searches.add(threads.submit(
                        () -> SimulationRunner.firstViolation(seeds, core.variant(), core.expectedInvariants())));
            }
            for (int i = 0; i < cores.size(); i++) {
                SimulationRunner.FirstViolation found = searches.get(i).get();
                if (found == null) {
                    uncaught.add(cores.get(i));
                } else {
                    DetectedBrokenCore detected = new DetectedBrokenCore(
                            cores.get(i).name(),
                            cores.get(i).defect(),
                            found.seed(),
                            found.invariant().label());
                    caught.add(detected);
                    progress.accept(detected);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after " + caught.size() + " broken cores", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the search for a broken core failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        return new BrokenCoreReport(caught, uncaught);
    }
}
