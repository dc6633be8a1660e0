package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.CampaignRunner;
import dev.flotilla.bench.harness.JournalWatcher;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.ProcessUsageMeter;
import dev.flotilla.bench.harness.ReplicaRoleProbe;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests and CPU of a worker process for an upgrade without faults. Orchestrator, broker, worker and watcher are real
 * processes; nodes and API servers are simulated in this process.
 */
final class WorkerUpgradesBenchmark implements Benchmark {
    private static final int CLUSTER = 4;

    /** A refresh takes ten seconds instead of ten minutes, and is polled as much more often. */
    private static final double SPEED = 60;

    /** A tenth of the machines is in flight; with more, the two processors would limit the result. */
    private static final int MACHINES_PER_SLOT = 10;

    private static final Duration AFTERWARDS = Duration.ofSeconds(2);
    private static final String TUNNEL = "pods/portforward";
    private static final double MILLI = 1e6;
    private static final double MILLIS = 1e3;

    private final K8sdTransportSetting k8sdTransportSetting;
    private final String suffix;
    private final int machines;
    private String where = "";

    private WorkerUpgradesBenchmark(K8sdTransportSetting k8sdTransportSetting, String suffix, int machines) {
        this.k8sdTransportSetting = k8sdTransportSetting;
        this.suffix = suffix;
        this.machines = machines;
    }

    static WorkerUpgradesBenchmark direct(boolean tiny) {
        return new WorkerUpgradesBenchmark(K8sdTransportSetting.DIRECT, "", tiny ? 40 : 240);
    }

    /** Measures over proxy pods, with so few machines that none waits for a tunnel. */
    static WorkerUpgradesBenchmark proxied(boolean tiny) {
        return new WorkerUpgradesBenchmark(K8sdTransportSetting.PROXY, "p", tiny ? 40 : 120);
    }

    @Override
    public List<String> ids() {
        return Stream.of("P5w", "P11a", "P11b", "P12", "P15", "P26a", "P26b")
                .map(this::id)
                .toList();
    }

    private String id(String figure) {
        return figure + suffix;
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        SitesSpec spec = new SitesSpec(1, machines / CLUSTER, machines, 0, 1, SPEED);
        SitesFleetLayout fleet = new SitesFleetLayout(spec);
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start();
                SimulatedNodes simulatedNodes = SimulatedNodes.start(kafkaTestBed, fleet.embeddedFleetSpec())) {
            kafkaTestBed.createTables(fleet.sites());
            ReplicaRoleProbe.awaitReplicaRole(kafkaTestBed.orchestrator("orchestrator", "256m"), "leader");
            ChildProcess worker = simulatedNodes.worker(
                    kafkaTestBed,
                    (long) (PollIntervalEstimator.DEFAULT_INTERVAL.toMillis() / SPEED),
                    "512m",
                    k8sdTransportSetting);
            ChildProcess watcher = simulatedNodes.watcher(kafkaTestBed, "256m");
            try (RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    JournalWatcher journal = JournalWatcher.start(kafkaTestBed.bootstrap())) {
                BenchmarkFleet.sendPolicy(sender, machines / MACHINES_PER_SLOT);
                // The first run warms up and measures how long changes take.
                CampaignRunner.run(watcher.handle().onExit(), sender, journal, 1, machines);
                Thread.sleep(AFTERWARDS.toMillis());
                send(worker, MeasuredWorkerMain.LOOPS);
                SimulatedNodes.NodeRequestCounts before = simulatedNodes.requestCounts();
                Duration cpu = ProcessUsageMeter.cpu(worker);
                double compiling = ProcessUsageMeter.compilerSeconds(worker);
                long began = System.nanoTime();
                CampaignRunner.run(watcher.handle().onExit(), sender, journal, 2, machines);
                double rate = machines / ((System.nanoTime() - began) / 1e9);
                String[] loops = send(worker, MeasuredWorkerMain.LOOPS).split(" ", -1);
                Thread.sleep(AFTERWARDS.toMillis());
                where = String.format(
                        Locale.ROOT,
                        "%s; %d upgrades, %.1f/s",
                        k8sdTransportSetting == K8sdTransportSetting.PROXY ? "through the proxy pods" : "direct HTTPS",
                        machines,
                        rate);
                SimulatedNodes.NodeRequestCounts nodeRequestCounts =
                        simulatedNodes.requestCounts().since(before);
                addCpu(
                        measurements,
                        ProcessUsageMeter.cpu(worker).minus(cpu),
                        ProcessUsageMeter.compilerSeconds(worker) - compiling,
                        nodeRequestCounts);
                addRequests(measurements, nodeRequestCounts);
                addLoops(measurements, loops);
            }
        }
    }

    private static String send(ChildProcess worker, String what) throws InterruptedException, IOException {
        worker.sendLine(what);
        return worker.awaitLine(what + " ");
    }

    private void addCpu(
            Measurements measurements,
            Duration cpu,
            double compiling,
            SimulatedNodes.NodeRequestCounts nodeRequestCounts) {
        measurements.add(new Measurement(
                id("P5w"),
                "the worker's CPU per upgrade, fault-free",
                String.format(
                        Locale.ROOT,
                        "%s; of it the JVM's compilers %.1f ms; %.1f requests to nodes, %.1f connections to nodes that"
                                + " were down; floor and goal are those of all processes together",
                        where,
                        compiling * MILLIS / machines,
                        (double) nodeRequestCounts.requests() / machines,
                        (double) (nodeRequestCounts.connections() - nodeRequestCounts.handshakes()) / machines),
                cpu.toNanos() / MILLI / machines,
                "ms",
                BetterDirection.LOWER,
                10.0,
                3.0,
                false,
                null));
    }

    private void addRequests(Measurements measurements, SimulatedNodes.NodeRequestCounts nodeRequestCounts) {
        measurements.add(each("P11a", "reads of the management API per upgrade", nodeRequestCounts.management(), 3, 1));
        measurements.add(each("P11b", "reads of the workload API per upgrade", nodeRequestCounts.workload(), 6, 3));
        measurements.add(gate(
                "P12", "calls to refresh per upgrade, fault-free", where, nodeRequestCounts.calls(), "calls", 1, 1));
        measurements.add(gate(
                "P15",
                "TLS handshakes with k8sd per upgrade",
                where,
                nodeRequestCounts.handshakes(),
                "handshakes",
                3,
                2));
    }

    private Measurement each(String figure, String name, SortedMap<String, Long> reads, double floor, double goal) {
        String kinds = reads.entrySet().stream()
                .map(read -> String.format(Locale.ROOT, "%s %.2f", read.getKey(), (double) read.getValue() / machines))
                .collect(Collectors.joining(", "));
        // Opening a tunnel is not a read, and a tunnel to an unreachable node is opened repeatedly.
        long all = reads.entrySet().stream()
                .filter(read -> !read.getKey().equals(TUNNEL))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return gate(
                figure,
                name,
                where + "; besides lists and watches: " + kinds
                        + (reads.containsKey(TUNNEL) ? ", which does not count as a read" : ""),
                all,
                "reads",
                floor,
                goal);
    }

    private Measurement gate(
            String figure, String name, String detail, long all, String unit, double floor, double goal) {
        return Measurement.gatingMeasurement(
                id(figure), name, detail, (double) all / machines, unit, BetterDirection.LOWER, floor, goal);
    }

    private void addLoops(Measurements measurements, String... loops) {
        double busy = Double.parseDouble(loops[1]);
        double idle = Double.parseDouble(loops[2]);
        measurements.add(new Measurement(
                id("P26a"),
                "event-loop delay, p99 / of an idle loop in the same process",
                String.format(
                        Locale.ROOT,
                        "%s; %.2f ms and %.2f ms, of it %s ms and %s ms without waiting for a processor",
                        where,
                        busy,
                        idle,
                        loops[4],
                        loops[5]),
                busy / idle,
                "ratio",
                BetterDirection.LOWER,
                5.0,
                2.0,
                false,
                null));
        measurements.add(new Measurement(
                id("P26b"),
                "times that an event loop was blocked for more than 100 ms",
                where + "; an idle loop beside it was not",
                Long.parseLong(loops[3]),
                "times",
                BetterDirection.LOWER,
                0.0,
                0.0,
                false,
                null));
    }
}
