package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.PairedRuns;
import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.bench.harness.Statistics;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * P4 and P17: the real loop gets the reports of many thousands of upgrades at one instant, when the transaction that
 * contains them commits. In turn, a plain client reads the same reports and writes as many records of the same size.
 */
final class EventRateBenchmark implements Benchmark {
    private static final int SITES = 5;
    private static final int SAMPLES = 20_000;
    private static final double INTERVALS_A_SECOND = 1000.0 / LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis();
    private static final Duration IDLE = Duration.ofMillis(1_500);
    private static final double SECOND = 1e9;
    private static final List<AttemptStep> STEPS = List.of(
            AttemptStep.PREFLIGHT,
            AttemptStep.GUARDING,
            AttemptStep.STARTING,
            AttemptStep.REFRESHING,
            AttemptStep.VERIFYING);
    private static final int EVENTS = STEPS.size() + 1;

    private final BenchmarkSizes sizes;
    private final BenchmarkFleet fleet;
    private final List<Load> loads = new ArrayList<>();
    private final List<WireRecord> samples = new ArrayList<>();
    private double writes;
    private int round;

    EventRateBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
        this.fleet = BenchmarkFleet.createFleet(SITES, sizes.events(), 1);
    }

    /** Commits of the loop under load. */
    private record Load(double commitsPerSecond, double recordsPerCommit) {}

    @Override
    public List<String> ids() {
        return List.of("P4", "P17a", "P17b");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException {
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(fleet.sites());
            kafkaTestBed.createTopic(PlainExactlyOnceClient.JOURNAL, 1);
            kafkaTestBed.createTopic(PlainExactlyOnceClient.ROWS, SITES);
            try (RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    SiteHeartbeatSender siteHeartbeatSender = new SiteHeartbeatSender(kafkaTestBed.bootstrap(), fleet);
                    MeasuredOrchestratorLoop loop = new MeasuredOrchestratorLoop(kafkaTestBed.bootstrap())) {
                siteHeartbeatSender.start();
                BenchmarkFleet.sendPolicy(sender, fleet.machines());
                fleet.sendInventory(sender);
                sender.flush();
                loop.start();
                loop.awaitLeading();
                loop.awaitQuiet(IDLE);
                PairedRuns pairedRuns = PairedRuns.runPairs(
                        sizes.pairs(),
                        () -> measureOrchestrator(kafkaTestBed, loop, sender),
                        () -> PlainExactlyOnceClient.measure(
                                kafkaTestBed.bootstrap(), fleet.sites(), samples, writes, sizes.leg()));
                add(measurements, pairedRuns);
            }
        }
    }

    private void add(Measurements measurements, PairedRuns pairedRuns) {
        pairedRuns.add(
                measurements,
                "P4",
                "orchestrator's events/s / a plain client that reads and writes as much exactly once",
                String.format(
                        "%,.0f/s, and %,.0f/s by the plain client; %.1f records written for a report",
                        pairedRuns.flotilla(), pairedRuns.reference(), writes),
                BetterDirection.HIGHER,
                0.4,
                0.7);
        List<Load> counted = loads.subList(1, loads.size());
        double[] commits = counted.stream()
                .mapToDouble(load -> load.commitsPerSecond() / INTERVALS_A_SECOND)
                .toArray();
        double[] records = counted.stream().mapToDouble(Load::recordsPerCommit).toArray();
        measurements.add(Measurement.judgedMeasurement(
                "P17a",
                "commits per second under load / (1000 / " + LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis() + ")",
                "all reports at once, as for P4",
                Statistics.median(commits),
                "ratio",
                BetterDirection.LOWER,
                1.05,
                1.0,
                Statistics.spread(commits)));
        measurements.add(new Measurement(
                "P17b",
                "records per commit under load",
                "head rows and journal included",
                Statistics.median(records),
                "records",
                BetterDirection.HIGHER,
                null,
                500.0,
                false,
                Statistics.spread(records)));
    }

    /** Runs one campaign: all machines are admitted, then all reports of workers arrive at once. */
    private double measureOrchestrator(KafkaTestBed kafkaTestBed, MeasuredOrchestratorLoop loop, RowSender sender)
            throws InterruptedException {
        Queue<WorkerCommand.UpgradeMachine> commands = new ConcurrentLinkedQueue<>();
        AtomicInteger admitted = new AtomicInteger();
        loop.setCommitListener(measuredCommit -> measuredCommit.decisions().forEach(decision -> {
            if (decision.event() == DecisionEvent.ATTEMPT_ADMITTED) {
                decision.changes().forEach(rowChange -> collect(rowChange, commands));
                admitted.incrementAndGet();
            }
        }));
        String revision = Integer.toString(2_000 + ++round);
        // A channel whose track names the version; otherwise one machine of each site would start first to resolve it.
        UpgradeTarget target = new UpgradeTarget.Channel("1.36-classic/stable/round-" + round);
        BenchmarkFleet.sendCampaign(sender, "round-" + round, target);
        sender.flush();
        MeasuredOrchestratorLoop.await("all admitted", () -> admitted.get() >= fleet.machines());
        loop.awaitQuiet(IDLE);
        AtomicLong last = new AtomicLong();
        AtomicLong events = new AtomicLong();
        AtomicLong records = new AtomicLong();
        AtomicLong commits = new AtomicLong();
        AtomicLong first = new AtomicLong();
        loop.setCommitListener(measuredCommit -> {
            long reports = measuredCommit.decisions().stream()
                    .filter(EventRateBenchmark::isReport)
                    .count();
            if (reports > 0) {
                first.compareAndSet(0, measuredCommit.nanos());
                commits.incrementAndGet();
                records.addAndGet(measuredCommit.records().size());
                sample(measuredCommit.records());
                last.set(measuredCommit.nanos());
                events.addAndGet(reports);
            }
        });
        long expected = (long) fleet.machines() * EVENTS;
        long visible = writeReports(kafkaTestBed, commands, revision);
        MeasuredOrchestratorLoop.await("all reports decided on", () -> events.get() >= expected);
        loop.setCommitListener(measuredCommit -> {});
        writes = (double) records.get() / expected;
        loads.add(new Load(
                (commits.get() - 1) * SECOND / (last.get() - first.get()), (double) records.get() / commits.get()));
        loop.awaitQuiet(IDLE);
        return expected * SECOND / (last.get() - visible);
    }

    private void sample(List<WireRecord> records) {
        if (samples.size() < SAMPLES) {
            samples.addAll(records);
        }
    }

    private static void collect(RowChange rowChange, Queue<WorkerCommand.UpgradeMachine> commands) {
        if (rowChange instanceof WorkerCommand.UpgradeMachine command) {
            commands.add(command);
        }
    }

    private static boolean isReport(Decision decision) {
        return decision.event() == DecisionEvent.ATTEMPT_STEP_REACHED
                || decision.event() == DecisionEvent.ATTEMPT_SUCCEEDED;
    }

    /** Writes all reports in one transaction. Returns the time of the commit, from which they can be read. */
    private static long writeReports(
            KafkaTestBed kafkaTestBed, Queue<WorkerCommand.UpgradeMachine> commands, String revision) {
        try (KafkaProducer<byte[], byte[]> producer =
                PlainKafkaClients.transactional(kafkaTestBed.bootstrap(), "bench.reports")) {
            RowSender sender = new RowSender(producer);
            producer.beginTransaction();
            for (AttemptStep step : STEPS) {
                AttemptReport report =
                        new AttemptReport.StepReached(step, step.compareTo(AttemptStep.REFRESHING) >= 0 ? "17" : null);
                commands.forEach(command -> send(sender, command, report));
            }
            commands.forEach(command -> send(
                    sender,
                    command,
                    new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, revision, "v1.36.0")));
            producer.flush();
            long visible = System.nanoTime();
            producer.commitTransaction();
            return visible;
        }
    }

    private static void send(RowSender sender, WorkerCommand.UpgradeMachine command, AttemptReport report) {
        sender.send(
                TablePartition.of(Table.PROGRESS, command.key()),
                new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, Instant.now()));
    }
}
