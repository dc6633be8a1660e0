package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.Statistics;
import dev.flotilla.bench.rig.BenchFleet;
import dev.flotilla.bench.rig.Pairs;
import dev.flotilla.bench.rig.PlainClients;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.RowSender;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
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
 * P4 and P17: the real loop is given the reports of many thousands of upgrades at the same instant, since the transaction
 * that holds them is committed then; in turn a plain client reads the same reports, and writes as many and as large records.
 */
final class EventRate implements Scene {
    private static final int SITES = 5;
    private static final int SAMPLES = 20_000;
    private static final double INTERVALS_A_SECOND = 1000.0 / OrchestratorLoop.COMMIT_EVERY.toMillis();
    private static final Duration QUIET = Duration.ofMillis(1_500);
    private static final double SECOND = 1e9;
    private static final List<AttemptStep> STEPS =
            List.of(AttemptStep.PREFLIGHT, AttemptStep.GUARDING, AttemptStep.STARTING, AttemptStep.REFRESHING, AttemptStep.VERIFYING);
    private static final int EVENTS = STEPS.size() + 1;

    private final Sizes sizes;
    private final BenchFleet fleet;
    private final List<Load> loads = new ArrayList<>();
    private final List<WireRecord> samples = new ArrayList<>();
    private double writes;
    private int round;

    EventRate(Sizes sizes) {
        this.sizes = sizes;
        this.fleet = BenchFleet.of(SITES, sizes.events(), 1);
    }

    /** How the loop committed under load. */
    private record Load(double commitsPerSecond, double recordsPerCommit) {}

    @Override
    public List<String> ids() {
        return List.of("P4", "P17a", "P17b");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException {
        try (Rig rig = Rig.start()) {
            rig.makeTables(fleet.sites());
            rig.makeTopic(PlainRound.JOURNAL, 1);
            rig.makeTopic(PlainRound.ROWS, SITES);
            try (RowSender sender = RowSender.open(rig.bootstrap());
                    Heartbeats heartbeats = new Heartbeats(rig.bootstrap(), fleet);
                    LoopWatch loop = new LoopWatch(rig.bootstrap())) {
                heartbeats.start();
                BenchFleet.sendPolicy(sender, fleet.machines());
                fleet.sendInventory(sender);
                sender.flush();
                loop.start();
                loop.awaitLeading();
                loop.awaitQuiet(QUIET);
                Pairs pairs = Pairs.play(
                        sizes.pairs(),
                        () -> ours(rig, loop, sender),
                        () -> PlainRound.play(rig.bootstrap(), fleet.sites(), samples, writes, sizes.leg()));
                add(figures, pairs);
            }
        }
    }

    private void add(Figures figures, Pairs pairs) {
        pairs.add(
                figures,
                "P4",
                "orchestrator's events/s / a plain client that reads and writes as much exactly once",
                String.format(
                        "%,.0f/s, and %,.0f/s by the plain client; %.1f records written for a report",
                        pairs.ours(), pairs.theirs(), writes),
                Better.HIGHER,
                0.4,
                0.7);
        List<Load> counted = loads.subList(1, loads.size());
        double[] commits = counted.stream()
                .mapToDouble(load -> load.commitsPerSecond() / INTERVALS_A_SECOND)
                .toArray();
        double[] records = counted.stream().mapToDouble(Load::recordsPerCommit).toArray();
        figures.add(Figure.judged(
                "P17a",
                "commits per second under load / (1000 / " + OrchestratorLoop.COMMIT_EVERY.toMillis() + ")",
                "all reports at once, as for P4",
                Statistics.median(commits),
                "ratio",
                Better.LOWER,
                1.05,
                1.0,
                Statistics.spread(commits)));
        figures.add(new Figure(
                "P17b",
                "records per commit under load",
                "head rows and journal included",
                Statistics.median(records),
                "records",
                Better.HIGHER,
                null,
                500.0,
                false,
                Statistics.spread(records)));
    }

    /** One campaign: all machines are admitted, and then all that workers would say of them comes at once. */
    private double ours(Rig rig, LoopWatch loop, RowSender sender) throws InterruptedException {
        Queue<WorkerCommand.UpgradeMachine> commands = new ConcurrentLinkedQueue<>();
        AtomicInteger admitted = new AtomicInteger();
        loop.tell(commit -> commit.decisions().forEach(decision -> {
            if (decision.event() == DecisionEvent.ATTEMPT_ADMITTED) {
                decision.changes().forEach(rowChange -> collect(rowChange, commands));
                admitted.incrementAndGet();
            }
        }));
        String revision = Integer.toString(2_000 + ++round);
        // Of a track that says its version: otherwise a machine of each site would go first.
        UpgradeTarget target = new UpgradeTarget.Channel("1.36-classic/stable/round-" + round);
        BenchFleet.sendCampaign(sender, "round-" + round, target);
        sender.flush();
        LoopWatch.await("all admitted", () -> admitted.get() >= fleet.machines());
        loop.awaitQuiet(QUIET);
        AtomicLong last = new AtomicLong();
        AtomicLong events = new AtomicLong();
        AtomicLong records = new AtomicLong();
        AtomicLong commits = new AtomicLong();
        AtomicLong first = new AtomicLong();
        loop.tell(commit -> {
            long reports =
                    commit.decisions().stream().filter(EventRate::isReport).count();
            if (reports > 0) {
                first.compareAndSet(0, commit.nanos());
                commits.incrementAndGet();
                records.addAndGet(commit.records().size());
                sample(commit.records());
                last.set(commit.nanos());
                events.addAndGet(reports);
            }
        });
        long wanted = (long) fleet.machines() * EVENTS;
        long visible = pour(rig, commands, revision);
        LoopWatch.await("all reports decided on", () -> events.get() >= wanted);
        loop.tell(commit -> {});
        writes = (double) records.get() / wanted;
        loads.add(new Load(
                (commits.get() - 1) * SECOND / (last.get() - first.get()), (double) records.get() / commits.get()));
        loop.awaitQuiet(QUIET);
        return wanted * SECOND / (last.get() - visible);
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
        return decision.event() == DecisionEvent.ATTEMPT_STEP_REACHED || decision.event() == DecisionEvent.ATTEMPT_SUCCEEDED;
    }

    /** Writes all reports in one transaction. Returns when it was committed, and they could be read. */
    private static long pour(Rig rig, Queue<WorkerCommand.UpgradeMachine> commands, String revision) {
        try (KafkaProducer<byte[], byte[]> producer = PlainClients.transactional(rig.bootstrap(), "bench.reports")) {
            RowSender sender = new RowSender(producer);
            producer.beginTransaction();
            for (AttemptStep step : STEPS) {
                AttemptReport report = new AttemptReport.StepReached(step, step.compareTo(AttemptStep.REFRESHING) >= 0 ? "17" : null);
                commands.forEach(command -> send(sender, command, report));
            }
            commands.forEach(
                    command -> send(sender, command, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, revision, "v1.36.0")));
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
