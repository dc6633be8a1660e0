package dev.flotilla.bench;

import dev.flotilla.bench.clusterapi.ClusterApiBenchmarks;
import dev.flotilla.bench.core.CoreBenchmarks;
import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.StolenTime;
import dev.flotilla.bench.kafka.KafkaBenchmarks;
import dev.flotilla.bench.watcher.WatcherBenchmarks;
import dev.flotilla.bench.whole.WholeSystemBenchmarks;
import dev.flotilla.bench.worker.WorkerBenchmarks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of {@code flotilla bench}. */
@Command(
        name = "flotilla bench",
        mixinStandardHelpOptions = true,
        version = "flotilla 0.1.0-SNAPSHOT",
        description = "Runs benchmarks and compares each result with its floor and goal.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every result that gates meets its floor",
            "1:a result that gates is below its floor, or is missing",
            "2:unknown name or option",
            "130:interrupted"
        })
public final class Main implements Callable<Integer> {
    private static final String CORE = "core";
    private static final String KAFKA = "kafka";
    private static final String ALL = "all";
    private static final String WORKER = "worker";
    private static final String WATCHER = "watcher";
    private static final String CLUSTER_API = "cluster-api";
    private static final String BENCHMARK_NAMES = "core, kafka, worker, watcher, cluster-api, all";
    private static final int BELOW_FLOOR = 1;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "NAME",
            arity = "1..*",
            description = "Benchmarks to run: " + BENCHMARK_NAMES
                    + "; mutants (alone) counts the mutants that unit tests" + " detect")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the results as JSON to FILE; - writes to" + " stdout")
    private @Nullable String json;

    @Option(names = "--tiny", description = "Smoke test: few runs of small sizes, whose results mean nothing")
    private boolean tiny;

    @Option(
            names = "--only",
            paramLabel = "ID",
            split = ",",
            description = "Run only the benchmarks that measure these ids (not for core)")
    private List<String> only = new ArrayList<>();

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        checkNames();
        BenchmarkEnvironment benchmarkEnvironment = BenchmarkEnvironment.readCurrent(
                isRequested(KAFKA) || isRequested(WORKER) || isRequested(WATCHER) ? KafkaBenchmarks.version() : null);
        Measurements measurements = new Measurements();
        List<String> timed = new ArrayList<>();
        CoreBenchmarks core = new CoreBenchmarks(line -> System.err.println("bench core: " + line));
        if (isRequested(CORE) && (only.isEmpty() || names.contains(CORE))) {
            core.run(measurements);
            timed.addAll(CoreBenchmarks.TIMED);
        }
        if (isRequested(KAFKA)) {
            new KafkaBenchmarks(runner(KAFKA), tiny).run(measurements);
            timed.addAll(KafkaBenchmarks.TIMED);
        }
        if (isRequested(WORKER)) {
            new WorkerBenchmarks(runner(WORKER), tiny).run(measurements);
            timed.addAll(WorkerBenchmarks.TIMED);
        }
        if (isRequested(WATCHER)) {
            new WatcherBenchmarks(runner(WATCHER), tiny).run(measurements);
            timed.addAll(WatcherBenchmarks.TIMED);
        }
        if (isRequested(CLUSTER_API)) {
            new ClusterApiBenchmarks(runner(CLUSTER_API), tiny).run(measurements);
            timed.addAll(ClusterApiBenchmarks.TIMED);
        }
        if (names.contains(ALL)) {
            new WholeSystemBenchmarks(runner(ALL), tiny).run(measurements);
            timed.addAll(WholeSystemBenchmarks.TIMED);
        }
        if (isRequested(KAFKA) && !isRequested(CORE) && only.isEmpty()) {
            core.runMemory(measurements);
        }
        timed.retainAll(measurements.rows().stream().map(Measurement::id).toList());
        timed.stream()
                .filter(id -> measurements.stolenShare(id) > StolenTime.MAX_SHARE)
                .forEach(id -> measurements.addInvalid(
                        id,
                        String.format(Locale.ROOT, "%.0f %%", 100 * measurements.stolenShare(id))
                                + " of the processors' time went to other virtual machines meanwhile"));
        if (benchmarkEnvironment.isCrowded()) {
            timed.forEach(id -> measurements.addInvalid(
                    id,
                    String.format(Locale.ROOT, "on average %.1f", benchmarkEnvironment.runnableThreads())
                            + " threads were runnable on " + benchmarkEnvironment.cpus()
                            + " processors before the start"));
        }
        write(measurements, benchmarkEnvironment);
        return measurements.fail() ? BELOW_FLOOR : 0;
    }

    private BenchmarkRunner runner(String name) {
        return new BenchmarkRunner(line -> System.err.println("bench " + name + ": " + line), only);
    }

    private boolean isRequested(String name) {
        return names.contains(name) || names.contains(ALL);
    }

    private void checkNames() {
        for (String name : names) {
            if (!List.of(BENCHMARK_NAMES.split(", ")).contains(name)) {
                throw usageError("there is no benchmark " + name + "; benchmarks: " + BENCHMARK_NAMES);
            }
        }
    }

    private ParameterException usageError(String problem) {
        if (spec == null) {
            throw new IllegalStateException(problem);
        }
        return new ParameterException(spec.commandLine(), problem);
    }

    private void write(Measurements measurements, BenchmarkEnvironment benchmarkEnvironment) throws IOException {
        boolean jsonOnly = "-".equals(json);
        PrintStream table = jsonOnly ? System.err : System.out;
        table.print(MeasurementTable.of(measurements));
        table.flush();
        if (json == null) {
            return;
        }
        byte[] bytes = MeasurementJson.of(measurements, benchmarkEnvironment);
        if (jsonOnly) {
            System.out.write(bytes);
            System.out.println();
            System.out.flush();
        } else {
            Files.write(Path.of(json), bytes);
        }
    }
}
