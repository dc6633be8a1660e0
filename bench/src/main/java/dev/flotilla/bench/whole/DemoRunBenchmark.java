package dev.flotilla.bench.whole;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * P2, P18 with all processes, P27 and P28: the demonstration without failing machines, once undisturbed and once with a
 * kill of each process. The nodes keep the call ledger, and the auditor counts violations.
 */
final class DemoRunBenchmark implements Benchmark {
    /** Gives node durations of 27 s on average and at least 20 s. */
    private static final double SPEED = 22;

    private static final double SPEED_OF_TINY = 300;
    private static final List<String> KILLS = List.of("leader", "worker", "watcher", "broker");

    private final int machines;
    private final int cap;
    private final double speed;

    DemoRunBenchmark(boolean tiny) {
        this.machines = tiny ? 12 : 240;
        this.cap = tiny ? 4 : 60;
        this.speed = tiny ? SPEED_OF_TINY : SPEED;
    }

    @Override
    public List<String> ids() {
        return List.of("P2", "P18w", "P27", "P28");
    }

    @Override
    public void measure(Measurements measurements) throws IOException, InterruptedException {
        DemoBenchmarkRun undisturbed = DemoBenchmarkRun.run(machines, cap, speed, List.of());
        measurements.add(new Measurement(
                "P2",
                "least possible makespan / makespan, all processes",
                String.format(
                        Locale.ROOT,
                        "%d machines, %d at once, by the nodes' records: %.1f s of %.1f s",
                        machines,
                        cap,
                        undisturbed.ideal(),
                        undisturbed.makespan()),
                undisturbed.ideal() / undisturbed.makespan(),
                "ratio",
                BetterDirection.HIGHER,
                0.90,
                0.97,
                false,
                null));
        measurements.add(new Measurement(
                "P18w",
                "records per upgrade, all topics, all processes",
                machines + " machines, including the records of the setup: "
                        + undisturbed.records().entrySet().stream()
                                .map(each -> String.format(
                                        Locale.ROOT, "%s %.1f", each.getKey(), (double) each.getValue() / machines))
                                .collect(Collectors.joining(", ")),
                (double) undisturbed.records().values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        / machines,
                "records",
                BetterDirection.LOWER,
                20.0,
                14.0,
                false,
                null));
        DemoBenchmarkRun killed = DemoBenchmarkRun.run(machines, cap, speed, KILLS);
        measurements.add(new Measurement(
                "P27",
                "makespan with a kill of each process, the broker's among them / without",
                String.format(
                        Locale.ROOT,
                        "%d machines, %d at once: %.1f s and %.1f s",
                        machines,
                        cap,
                        undisturbed.makespan(),
                        killed.makespan()),
                killed.makespan() / undisturbed.makespan(),
                "ratio",
                BetterDirection.LOWER,
                1.15,
                1.05,
                false,
                null));
        measurements.add(new Measurement(
                "P28",
                "machines over the cap, second refreshes, machines lost, violations, in a run with kills",
                killed.machinesOverCap(cap) + ", " + killed.secondCalls() + ", " + killed.machinesNotUpgraded() + ", "
                        + killed.violations() + " of " + killed.checks() + " checks",
                killed.machinesOverCap(cap) + killed.secondCalls() + killed.machinesNotUpgraded() + killed.violations(),
                "count",
                BetterDirection.LOWER,
                0.0,
                0.0,
                true,
                null));
    }
}
