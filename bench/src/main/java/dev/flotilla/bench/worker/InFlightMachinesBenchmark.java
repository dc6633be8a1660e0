package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * F1 and F2: how many machines one worker process with a heap of 512 MiB can have in flight, also for each MiB in use.
 * All are commanded at once, and all must succeed.
 */
final class InFlightMachinesBenchmark implements Benchmark {
    private static final String SITE = "site-1";
    private static final String HEAP = "512m";
    private static final int WORKERS = 10;
    private static final int SPREAD_PERCENT = 10;
    private static final Duration TIMEOUT = Duration.ofMinutes(6);
    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration LEASE = Duration.ofMinutes(14);
    private static final double MIB = 1024 * 1024;

    private final int machines;
    private final Duration refresh;

    InFlightMachinesBenchmark(boolean tiny) {
        this.machines = tiny ? 100 : 5_000;
        this.refresh = tiny ? Duration.ofSeconds(10) : Duration.ofSeconds(150);
    }

    @Override
    public List<String> ids() {
        return List.of("F1", "F2");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start();
                SimulatedNodes simulatedNodes = SimulatedNodes.start(kafkaTestBed, fleetSpec())) {
            kafkaTestBed.createTables(List.of(new SiteId(SITE)));
            ChildProcess worker = simulatedNodes.worker(
                    kafkaTestBed, PollIntervalEstimator.DEFAULT_INTERVAL.toMillis(), HEAP, K8sdTransportSetting.DIRECT);
            long[] before = heap(worker);
            try (TableReader reader = new TableReader(kafkaTestBed.bootstrap(), progress());
                    RowSender sender = RowSender.open(kafkaTestBed.bootstrap())) {
                long began = System.nanoTime();
                for (WorkerCommand command : commands(simulatedNodes)) {
                    sender.send(TablePartition.of(Table.COMMANDS, command.key()), command);
                }
                sender.flush();
                Map<String, AttemptReport> reports = new TreeMap<>();
                await(
                        () -> simulatedNodes
                                        .fleet()
                                        .runOnEventLoop(() ->
                                                simulatedNodes.fleet().ledger().inFlight())
                                        .await()
                                >= machines,
                        reader,
                        reports);
                double ramp = (System.nanoTime() - began) / 1e9;
                long[] atPeak = heap(worker);
                await(() -> succeeded(reports) >= machines, reader, reports);
                int most = simulatedNodes
                        .fleet()
                        .runOnEventLoop(() -> simulatedNodes.fleet().ledger().maxInFlight())
                        .await();
                add(measurements, before, atPeak, most, ramp, simulatedNodes.requestCounts());
            }
        }
    }

    private EmbeddedFleetSpec fleetSpec() {
        NodeFaultProfile faultProfile = NodeFaultProfile.withoutFaults(refresh.toMillis(), SPREAD_PERCENT);
        List<WorkloadClusterSpec> clusters = IntStream.range(0, machines / WORKERS)
                .mapToObj(i ->
                        WorkloadClusterSpec.withoutFaults("k" + i, 1, WORKERS).with(faultProfile))
                .toList();
        return new EmbeddedFleetSpec(List.of(new EmbeddedFleetSpec.EmbeddedSiteSpec(SITE, clusters)), 1, 1);
    }

    private static List<TablePartition> progress() {
        return IntStream.range(0, Table.PROGRESS.partitions())
                .mapToObj(i -> new TablePartition(Table.PROGRESS, new SiteId(SITE), i))
                .toList();
    }

    private static List<WorkerCommand> commands(SimulatedNodes simulatedNodes) {
        return simulatedNodes
                .fleet()
                .runOnEventLoop(() -> {
                    List<WorkerCommand> commands = new ArrayList<>();
                    for (EmbeddedNode node : simulatedNodes.fleet().nodes()) {
                        if (node.role() == MachineRole.WORKER) {
                            commands.add(new WorkerCommand.UpgradeMachine(
                                    node.machine(),
                                    node.uid(),
                                    commands.size() + 1L,
                                    MachineRole.WORKER,
                                    new UpgradeTarget.Revision("1100"),
                                    null,
                                    null,
                                    WORKERS,
                                    Instant.now().plus(LEASE)));
                        }
                    }
                    return commands;
                })
                .await();
    }

    /** Reads bytes in use and number of threads. */
    private static long[] heap(ChildProcess worker) throws InterruptedException, IOException {
        worker.sendLine(MeasuredWorkerMain.HEAP);
        String[] output = worker.awaitLine(MeasuredWorkerMain.HEAP + " ").split(" ", -1);
        return new long[] {Long.parseLong(output[1]), Long.parseLong(output[2])};
    }

    /** A condition to wait for. */
    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition, TableReader reader, Map<String, AttemptReport> reports)
            throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.holds()) {
            for (TableRecord tableRecord : reader.poll(TICK)) {
                if (tableRecord.rowChange() instanceof AttemptProgress progress) {
                    reports.put(progress.key().toString(), progress.report());
                    if (isOtherEnd(progress.report())) {
                        throw new IllegalStateException(progress.key() + " ended by " + progress.report());
                    }
                }
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException("only " + succeeded(reports) + " machines were upgraded within "
                        + TIMEOUT + "; " + unfinished(reports));
            }
        }
    }

    /** Says what the first of the other machines reported last, and how many reported nothing. */
    private String unfinished(Map<String, AttemptReport> reports) {
        String last = reports.entrySet().stream()
                .filter(each -> !(each.getValue() instanceof AttemptReport.Succeeded))
                .map(each -> each.getKey() + " reported " + each.getValue() + " last, and ")
                .findFirst()
                .orElse("");
        return last + (machines - reports.size()) + " reported nothing";
    }

    private static boolean isOtherEnd(AttemptReport report) {
        return !(report instanceof AttemptReport.StepReached || report instanceof AttemptReport.Succeeded);
    }

    private static long succeeded(Map<String, AttemptReport> reports) {
        return reports.values().stream()
                .filter(AttemptReport.Succeeded.class::isInstance)
                .count();
    }

    private void add(
            Measurements measurements,
            long[] before,
            long[] atPeak,
            int most,
            double ramp,
            SimulatedNodes.NodeRequestCounts nodeRequestCounts) {
        String where = String.format(
                Locale.ROOT,
                "direct HTTPS, %d clusters; all called after %.0f s, %d calls, %d handshakes",
                machines / WORKERS,
                ramp,
                nodeRequestCounts.calls(),
                nodeRequestCounts.handshakes());
        measurements.add(Measurement.informationalMeasurement(
                "F1",
                "machines in flight at once in one worker with -Xmx" + HEAP,
                where,
                most,
                "machines",
                BetterDirection.HIGHER));
        measurements.add(Measurement.informationalMeasurement(
                "F2",
                "machines in flight per MiB of heap in use",
                String.format(
                        Locale.ROOT,
                        "%.0f MiB in use and %d threads, %.0f MiB and %d before",
                        atPeak[0] / MIB,
                        atPeak[1],
                        before[0] / MIB,
                        before[1]),
                most / (atPeak[0] / MIB),
                "machines",
                BetterDirection.HIGHER));
    }
}
