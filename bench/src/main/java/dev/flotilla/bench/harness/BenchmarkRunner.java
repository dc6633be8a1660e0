package dev.flotilla.bench.harness;

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

    public void run(List<Benchmark> benchmarks, Measurements measurements) {
        for (Benchmark benchmark : benchmarks) {
            if (only.isEmpty() || benchmark.ids().stream().anyMatch(only::contains)) {
                run(benchmark, measurements);
            }
        }
    }

    private void run(Benchmark benchmark, Measurements measurements) {
        String ids = String.join(", ", benchmark.ids());
        progress.accept(ids);
        long began = System.nanoTime();
        StolenTime stolen = StolenTime.begin();
        try {
            benchmark.measure(measurements);
            measurements.addStolen(benchmark.ids(), stolen.share());
            progress.accept(String.format("%s: %.0f s", ids, (System.nanoTime() - began) / 1e9));
        } catch (IllegalStateException | UncheckedIOException | IOException e) {
            String reason = String.valueOf(e.getMessage());
            progress.accept("not measured: " + reason);
            benchmark.ids().forEach(id -> measurements.addMissing(id, reason));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
