package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.run.Finding;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks for the first seed that finds each broken core out, by a breach of what it breaks. */
public final class BrokenCores {
    /** The seeds within which each has to be found. */
    public static final SeedRange SEEDS = new SeedRange(1, 200);

    private BrokenCores() {}

    public static List<BrokenCore> all() {
        List<BrokenCore> all = new ArrayList<>();
        all.addAll(BrokenGates.all());
        all.addAll(BrokenConditions.all());
        all.addAll(BrokenAttempts.all());
        all.addAll(BrokenDeciders.all());
        all.addAll(BrokenWaves.all());
        all.addAll(BrokenTerms.all());
        all.addAll(BrokenWindows.all());
        all.addAll(BrokenBudgets.all());
        all.addAll(BrokenCohorts.all());
        all.addAll(BrokenVersions.all());
        all.addAll(BrokenIntents.all());
        all.addAll(BrokenOrders.all());
        all.addAll(BrokenApprovals.all());
        all.addAll(BrokenInventory.all());
        all.addAll(BrokenShells.all());
        all.addAll(BrokenTopics.all());
        all.addAll(BrokenLiveness.all());
        return all;
    }

    public static BrokenReport run(SeedRange seeds, Consumer<Caught> progress) {
        List<Caught> caught = new ArrayList<>();
        List<BrokenCore> uncaught = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<BrokenCore> cores = all();
            List<Future<@Nullable Finding>> searches = new ArrayList<>();
            for (BrokenCore core : cores) {
                searches.add(threads.submit(() -> Simulation.first(seeds, core.variant(), core.by())));
            }
            for (int i = 0; i < cores.size(); i++) {
                Finding found = searches.get(i).get();
                if (found == null) {
                    uncaught.add(cores.get(i));
                } else {
                    Caught one = new Caught(
                            cores.get(i).name(),
                            cores.get(i).what(),
                            found.seed(),
                            found.invariant().label());
                    caught.add(one);
                    progress.accept(one);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after " + caught.size() + " broken cores", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a search for a broken core ended badly", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        return new BrokenReport(caught, uncaught);
    }
}
