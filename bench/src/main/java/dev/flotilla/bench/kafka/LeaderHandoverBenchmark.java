package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.JournalWatcher;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.ReplicaRoleProbe;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.bench.harness.Statistics;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SimulatedSites;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * P20 and P21: leaders are killed or stopped while a campaign runs; measures the time until the next leader's first
 * admission.
 */
final class LeaderHandoverBenchmark implements Benchmark {
    private static final int SITES = 3;
    private static final int CLUSTER = 6;
    private static final int CAP = 60;
    private static final double SPEED = 150;
    private static final int MACHINES_PER_CHANGE = 400;
    private static final int COLD = 3;
    private static final int ORDERLY = 5;
    private static final CountOrPercent MAX_UNAVAILABLE = new CountOrPercent.Percent(30);
    private static final double SESSION = 6_000;
    private static final double COMMIT = LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis();
    private static final double FLOOR = 1.3;
    private static final Duration SETTLE = Duration.ofMillis(1_500);

    private final BenchmarkSizes sizes;
    private int instances;

    LeaderHandoverBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public List<String> ids() {
        return List.of("P20a", "P20b", "P21");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        int orderly = Math.min(ORDERLY, sizes.kills());
        int cold = Math.min(COLD, sizes.kills());
        int machines = (sizes.kills() + orderly + cold + 2) * MACHINES_PER_CHANGE;
        SitesSpec spec = new SitesSpec(SITES, machines / CLUSTER, machines, 0, 1, SPEED);
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(new SitesFleetLayout(spec).sites());
            ChildProcess leader = startOrchestrator(kafkaTestBed);
            ReplicaRoleProbe.awaitReplicaRole(leader, "leader");
            try (SimulatedSites sites = SimulatedSites.start(
                            kafkaTestBed.bootstrap(),
                            spec,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    JournalWatcher journal = JournalWatcher.start(kafkaTestBed.bootstrap())) {
                BenchmarkFleet.sendPolicy(sender, CAP);
                sender.send(
                        TablePartition.of(Table.CAMPAIGNS),
                        BenchmarkFleet.campaign(
                                "handover", new UpgradeTarget.Channel(SnapReleases.channel(1)), MAX_UNAVAILABLE));
                sender.flush();
                MeasuredOrchestratorLoop.await(
                        "upgrading machines", () -> journal.count(JournalWatcher.SUCCEEDED) > CAP);
                Changes changes = new Changes(kafkaTestBed, journal, leader);
                double[] gaps = changes.repeat(orderly, changes::orderly);
                double[] hot = changes.repeat(sizes.kills(), changes::hot);
                changes.changeWithoutStandby();
                double[] coldMillis = changes.repeat(cold, changes::cold);
                if (sites.ended().isDone()) {
                    throw new IllegalStateException("the simulated sites have ended");
                }
                add(measurements, gaps, hot, coldMillis, Statistics.median(changes.restores()));
            }
        }
    }

    private ChildProcess startOrchestrator(KafkaTestBed kafkaTestBed) throws InterruptedException {
        return kafkaTestBed.orchestrator("orchestrator-" + ++instances, "512m");
    }

    /** A change of leader. */
    private interface Change {
        double millis() throws InterruptedException;
    }

    /** Leader and standby during all changes. */
    private final class Changes {
        private final KafkaTestBed kafkaTestBed;
        private final JournalWatcher journal;
        private final List<Double> restores = new ArrayList<>();
        private ChildProcess leader;
        private ChildProcess standby;

        Changes(KafkaTestBed kafkaTestBed, JournalWatcher journal, ChildProcess leader) throws InterruptedException {
            this.kafkaTestBed = kafkaTestBed;
            this.journal = journal;
            this.leader = leader;
            this.standby = startOrchestrator(kafkaTestBed);
        }

        double[] repeat(int times, Change change) throws InterruptedException {
            double[] millis = new double[times];
            for (int i = 0; i < times; i++) {
                millis[i] = change.millis();
            }
            return millis;
        }

        double orderly() throws InterruptedException {
            return changeWithStandby(leader::terminate);
        }

        double hot() throws InterruptedException {
            return changeWithStandby(leader::kill);
        }

        /** Kills a leader without a standby: the next one is started when the leader is dead. */
        double cold() throws InterruptedException {
            Thread.sleep(SETTLE.toMillis());
            int terms = journal.admittingTerms();
            long began = System.currentTimeMillis();
            leader.kill();
            long started = System.currentTimeMillis();
            leader = startOrchestrator(kafkaTestBed);
            while (!ReplicaRoleProbe.replicaRole(leader).equals("standby")
                    && !ReplicaRoleProbe.replicaRole(leader).equals("leader")) {
                Thread.sleep(10);
            }
            restores.add((double) System.currentTimeMillis() - started);
            MeasuredOrchestratorLoop.await("admitting again", () -> journal.admittingTerms() > terms);
            return journal.firstAdmission() - began;
        }

        void changeWithoutStandby() {
            standby.kill();
        }

        double[] restores() {
            return restores.stream().mapToDouble(Double::doubleValue).toArray();
        }

        private double changeWithStandby(Runnable end) throws InterruptedException {
            ReplicaRoleProbe.awaitReplicaRole(standby, "standby");
            Thread.sleep(SETTLE.toMillis());
            int terms = journal.admittingTerms();
            long began = System.currentTimeMillis();
            end.run();
            MeasuredOrchestratorLoop.await("admitting again", () -> journal.admittingTerms() > terms);
            leader.awaitExit();
            leader = standby;
            standby = startOrchestrator(kafkaTestBed);
            return journal.firstAdmission() - began;
        }
    }

    private static void add(Measurements measurements, double[] gaps, double[] hot, double[] cold, double restore) {
        measurements.add(row(
                "P20a",
                "kill -9 to the next admission committed / session of 6 s, hot standby",
                null,
                hot,
                SESSION,
                FLOOR,
                1.1,
                true));
        measurements.add(row(
                "P20b",
                "kill -9 to the next admission committed / session of 6 s, next replica started after the kill",
                String.format("its start and restore took %.1f s, which is added to the floor", restore / 1000),
                cold,
                SESSION,
                FLOOR + restore / SESSION,
                1.1,
                false));
        measurements.add(row(
                "P21",
                "SIGTERM to the next leader's first admission committed / commit interval of "
                        + LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis() + " ms",
                null,
                gaps,
                COMMIT,
                100,
                20,
                false));
    }

    private static Measurement row(
            String id,
            String name,
            @Nullable String detail,
            double[] millis,
            double unit,
            double floor,
            double goal,
            boolean gates) {
        double[] ratios = Arrays.stream(millis).map(each -> each / unit).toArray();
        return new Measurement(
                id,
                name,
                detail,
                Statistics.median(ratios),
                "ratio",
                BetterDirection.LOWER,
                floor,
                goal,
                gates,
                Statistics.spread(ratios));
    }
}
