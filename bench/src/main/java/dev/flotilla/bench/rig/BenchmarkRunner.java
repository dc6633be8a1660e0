package dev.flotilla.bench.rig;

import dev.flotilla.bench.Measurements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs benchmarks in order. If one fails, its measurements are missing and the others still run.
 *
 * @param only run only the benchmarks with these ids; empty for all
 */
public record BenchmarkRunner(Consumer<String> progress, List<String> only) {
    public BenchmarkRunner {
        only = List.copyOf(only);
    }

    public void run(List<Benchmark> scenes, Measurements measurements) {
        for (Benchmark benchmark : scenes) {
            if (only.isEmpty() || benchmark.ids().stream().anyMatch(only::contains)) {
                run(benchmark, measurements);
            }
        }
    }

    private void run(Benchmark benchmark, Measurements measurements) {
        String ids = String.join(", ", benchmark.ids());
        progress.accept(ids);
        long began = System.nanoTime();
        try {
            benchmark.measure(measurements);
            progress.accept(String.format("%s: %.0f s", ids, (System.nanoTime() - began) / 1e9));
        } catch (IllegalStateException | UncheckedIOException | IOException failed) {
            String why = String.valueOf(failed.getMessage());
            progress.accept("not measured: " + why);
            benchmark.ids().forEach(id -> measurements.addMissing(id, why));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
