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

/** Runs seeds in parallel, because they are independent; the report lists them in order. */
public final class SimulationRunner {
    private static final int RERUN_EVERY = 20;
    private static final double NANOS = 1e9;

    /** The first seed of a range that violates one of the given invariants, and that invariant. */
    public record FirstViolation(long seed, Invariant invariant) {}

    private SimulationRunner() {}

    public static SimulationReport run(SeedRange range) {
        return run(range, SystemUnderTest.REAL, done -> {});
    }

    /** Runs a range of seeds; {@code progress} receives the number of finished seeds. */
    public static SimulationReport run(SeedRange range, SystemUnderTest systemUnderTest, LongConsumer progress) {
        long begin = System.nanoTime();
        List<SeedRun.SeedResult> results = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<SeedRun.SeedResult>> running = new ArrayList<>();
            for (long seed = range.first(); seed <= range.last(); seed++) {
                running.add(threads.submit(task(seed, systemUnderTest)));
            }
            for (Future<SeedRun.SeedResult> future : running) {
                results.add(future.get());
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

    /**
     * The first seed of a range that violates one of the given invariants; null if none does. Runs one seed after the
     * other.
     */
    public static @Nullable FirstViolation firstViolation(
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

    private static Callable<SeedRun.SeedResult> task(long seed, SystemUnderTest systemUnderTest) {
        return () -> run(seed, systemUnderTest);
    }

    /** Runs one seed. Every twentieth seed runs twice and must give the same journal. */
    static SeedRun.SeedResult run(long seed, SystemUnderTest systemUnderTest) {
        SeedRun.SeedResult seedResult = runOnce(seed, systemUnderTest);
        if (seed % RERUN_EVERY != 1 || !seedResult.violations().isEmpty()) {
            return seedResult;
        }
        SeedRun.SeedResult again = runOnce(seed, systemUnderTest);
        if (again.journalHash().equals(seedResult.journalHash()) && again.events() == seedResult.events()) {
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
                        "a second run gave the journal hash " + again.journalHash() + " instead of "
                                + seedResult.journalHash())),
                seedResult.stuck(),
                seedResult.conditions(),
                seedResult.journalHash());
    }

    private static SeedRun.SeedResult runOnce(long seed, SystemUnderTest systemUnderTest) {
        return new SeedRun(seed, systemUnderTest, false).run();
    }

    /** The complete transcript of a seed. */
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
        text.append(seedResult.journalHash()).append('\n');
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
        List<SimulationReport.StuckMachine> stuck = new ArrayList<>();
        Map<CoverageCondition, Integer> conditions = new EnumMap<>(CoverageCondition.class);
        for (SeedRun.SeedResult seedResult : results) {
            events += seedResult.events();
            attempts += seedResult.attempts();
            crashes += seedResult.crashes();
            violations.addAll(seedResult.violations());
            stuck.addAll(seedResult.stuck());
            seedResult.conditions().forEach(condition -> conditions.merge(condition, 1, Integer::sum));
        }
        return new SimulationReport(results.size(), events, attempts, crashes, violations, stuck, conditions, seconds);
    }
}
