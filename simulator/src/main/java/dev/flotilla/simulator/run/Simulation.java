package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.check.Violation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Runs seeds. Seeds have nothing to do with each other, so they run side by side; the report is in their order. */
public final class Simulation {
    private static final int RERUN_EVERY = 10;
    private static final double NANOS = 1e9;

    private Simulation() {}

    public static SimulationReport run(SeedRange range) {
        return run(range, Variant.REAL, done -> {});
    }

    /** Runs a range of seeds; {@code progress} hears how many are done. */
    public static SimulationReport run(SeedRange range, Variant variant, LongConsumer progress) {
        long begin = System.nanoTime();
        List<SeedRun.Result> results = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<SeedRun.Result>> running = new ArrayList<>();
            for (long seed = range.first(); seed <= range.last(); seed++) {
                running.add(threads.submit(one(seed, variant)));
            }
            for (Future<SeedRun.Result> each : running) {
                results.add(each.get());
                progress.accept(results.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted after " + results.size() + " seeds", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("after " + results.size() + " seeds", e.getCause());
        } finally {
            threads.shutdownNow();
        }
        return report(results, (System.nanoTime() - begin) / NANOS);
    }

    /** The first seed of a range in which one of some invariants does not hold; null where they do. One after the other. */
    public static @Nullable Finding first(SeedRange range, Variant variant, List<Invariant> invariants) {
        for (long seed = range.first(); seed <= range.last(); seed++) {
            SeedRun.Result result = run(seed, variant);
            for (Violation violation : result.violations()) {
                if (invariants.contains(violation.invariant())) {
                    return new Finding(seed, violation.invariant());
                }
            }
            if (!result.stuck().isEmpty() && invariants.contains(Invariant.NOTHING_LOST)) {
                return new Finding(seed, Invariant.NOTHING_LOST);
            }
        }
        return null;
    }

    private static Callable<SeedRun.Result> one(long seed, Variant variant) {
        return () -> run(seed, variant);
    }

    /** One seed, and for some of them a second time: the same journal has to come of it. */
    static SeedRun.Result run(long seed, Variant variant) {
        SeedRun.Result result = guarded(seed, variant);
        if (seed % RERUN_EVERY != 1 || !result.violations().isEmpty()) {
            return result;
        }
        SeedRun.Result again = guarded(seed, variant);
        if (again.chain().equals(result.chain()) && again.events() == result.events()) {
            return result;
        }
        return new SeedRun.Result(
                seed,
                result.events(),
                result.attempts(),
                result.crashes(),
                List.of(new Violation(
                        seed,
                        Invariant.SAME_ROWS,
                        "",
                        "a second run gave journal " + again.chain() + " instead of " + result.chain())),
                result.stuck(),
                result.circumstances(),
                result.chain());
    }

    private static SeedRun.Result guarded(long seed, Variant variant) {
        return new SeedRun(seed, variant, false).run();
    }

    /** The whole story of a seed. */
    public static String transcript(long seed) {
        return transcript(seed, Variant.REAL);
    }

    public static String transcript(long seed, Variant variant) {
        SeedRun run = new SeedRun(seed, variant, true);
        SeedRun.Result result = run.run();
        StringBuilder text = new StringBuilder(run.world().story().text());
        text.append("seed ").append(seed).append(": ").append(result.events()).append(" events, ");
        text.append(result.attempts())
                .append(" attempts, ")
                .append(result.crashes())
                .append(" crashes, journal ");
        text.append(result.chain()).append('\n');
        result.violations().forEach(violation -> text.append(violation).append('\n'));
        result.stuck().forEach(stuck -> text.append(stuck).append('\n'));
        return text.toString();
    }

    private static SimulationReport report(List<SeedRun.Result> results, double seconds) {
        long events = 0;
        long attempts = 0;
        long crashes = 0;
        List<Violation> violations = new ArrayList<>();
        List<Stuck> stuck = new ArrayList<>();
        Map<Circumstance, Integer> circumstances = new EnumMap<>(Circumstance.class);
        for (SeedRun.Result result : results) {
            events += result.events();
            attempts += result.attempts();
            crashes += result.crashes();
            violations.addAll(result.violations());
            stuck.addAll(result.stuck());
            result.circumstances().forEach(one -> circumstances.merge(one, 1, Integer::sum));
        }
        return new SimulationReport(
                results.size(), events, attempts, crashes, violations, stuck, circumstances, seconds);
    }
}
