package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.check.InvariantViolation;
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
public final class SimulationRunner {
    private static final int RERUN_EVERY = 10;
    private static final double NANOS = 1e9;

    private SimulationRunner() {}

    public static SimulationReport run(SeedRange range) {
        return run(range, SystemUnderTest.REAL, done -> {});
    }

    /** Runs a range of seeds; {@code progress} hears how many are done. */
    public static SimulationReport run(SeedRange range, SystemUnderTest systemUnderTest, LongConsumer progress) {
        long begin = System.nanoTime();
        List<SeedRun.SeedResult> results = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<SeedRun.SeedResult>> running = new ArrayList<>();
            for (long seed = range.first(); seed <= range.last(); seed++) {
                running.add(threads.submit(one(seed, systemUnderTest)));
            }
            for (Future<SeedRun.SeedResult> each : running) {
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
    public static @Nullable FirstViolation first(
            SeedRange range, SystemUnderTest systemUnderTest, List<Invariant> invariants) {
        for (long seed = range.first(); seed <= range.last(); seed++) {
            SeedRun.SeedResult seedResult = run(seed, systemUnderTest);
            for (InvariantViolation invariantViolation : seedResult.violations()) {
                if (invariants.contains(invariantViolation.invariant())) {
                    return new FirstViolation(seed, invariantViolation.invariant());
                }
            }
            if (!seedResult.stuck().isEmpty() && invariants.contains(Invariant.NOTHING_LOST)) {
                return new FirstViolation(seed, Invariant.NOTHING_LOST);
            }
        }
        return null;
    }

    private static Callable<SeedRun.SeedResult> one(long seed, SystemUnderTest systemUnderTest) {
        return () -> run(seed, systemUnderTest);
    }

    /** One seed, and for some of them a second time: the same journal has to come of it. */
    static SeedRun.SeedResult run(long seed, SystemUnderTest systemUnderTest) {
        SeedRun.SeedResult seedResult = guarded(seed, systemUnderTest);
        if (seed % RERUN_EVERY != 1 || !seedResult.violations().isEmpty()) {
            return seedResult;
        }
        SeedRun.SeedResult again = guarded(seed, systemUnderTest);
        if (again.chain().equals(seedResult.chain()) && again.events() == seedResult.events()) {
            return seedResult;
        }
        return new SeedRun.SeedResult(
                seed,
                seedResult.events(),
                seedResult.attempts(),
                seedResult.crashes(),
                List.of(new InvariantViolation(
                        seed,
                        Invariant.SAME_ROWS,
                        "",
                        "a second run gave journal " + again.chain() + " instead of " + seedResult.chain())),
                seedResult.stuck(),
                seedResult.circumstances(),
                seedResult.chain());
    }

    private static SeedRun.SeedResult guarded(long seed, SystemUnderTest systemUnderTest) {
        return new SeedRun(seed, systemUnderTest, false).run();
    }

    /** The whole story of a seed. */
    public static String transcript(long seed) {
        return transcript(seed, SystemUnderTest.REAL);
    }

    public static String transcript(long seed, SystemUnderTest systemUnderTest) {
        SeedRun run = new SeedRun(seed, systemUnderTest, true);
        SeedRun.SeedResult seedResult = run.run();
        StringBuilder text = new StringBuilder(run.world().transcript().text());
        text.append("seed ")
                .append(seed)
                .append(": ")
                .append(seedResult.events())
                .append(" events, ");
        text.append(seedResult.attempts())
                .append(" attempts, ")
                .append(seedResult.crashes())
                .append(" crashes, journal ");
        text.append(seedResult.chain()).append('\n');
        seedResult
                .violations()
                .forEach(invariantViolation -> text.append(invariantViolation).append('\n'));
        seedResult.stuck().forEach(stuckMachine -> text.append(stuckMachine).append('\n'));
        return text.toString();
    }

    private static SimulationReport report(List<SeedRun.SeedResult> results, double seconds) {
        long events = 0;
        long attempts = 0;
        long crashes = 0;
        List<InvariantViolation> violations = new ArrayList<>();
        List<StuckMachine> stuck = new ArrayList<>();
        Map<CoverageCondition, Integer> circumstances = new EnumMap<>(CoverageCondition.class);
        for (SeedRun.SeedResult seedResult : results) {
            events += seedResult.events();
            attempts += seedResult.attempts();
            crashes += seedResult.crashes();
            violations.addAll(seedResult.violations());
            stuck.addAll(seedResult.stuck());
            seedResult.circumstances().forEach(one -> circumstances.merge(one, 1, Integer::sum));
        }
        return new SimulationReport(
                results.size(), events, attempts, crashes, violations, stuck, circumstances, seconds);
    }
}
