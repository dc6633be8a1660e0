package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.PairedRuns;
import dev.flotilla.bench.harness.ProcessUsageMeter;
import dev.flotilla.bench.harness.ReplicaRoleProbe;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** P19 and P22: restore of the tables of large fleets, and cost of an idle leader. */
final class RestoreAndIdleBenchmark implements Benchmark {
    /**
     * Machines with uncompacted records: 3 % in flight for 5 minutes each make 12 % in the 20 minutes before
     * compaction.
     */
    private static final int PERCENT_RECENT = 12;

    /** An idle leader's JIT compilers use less than this share of a processor. */
    private static final double COMPILERS_IDLE = 0.003;

    /** Number of checks during the idle time. */
    private static final int CHECKS_IN_IDLE_TIME = 6;

    private static final int CHECKS_AT_LEAST = 3;
    private static final int CHECKS_AT_MOST = 24;
    private static final int HUNDRED = 100;

    private final BenchmarkSizes sizes;
    private final UpgradeCostBenchmark upgrades;
    private double restored;

    RestoreAndIdleBenchmark(BenchmarkSizes sizes, UpgradeCostBenchmark upgrades) {
        this.sizes = sizes;
        this.upgrades = upgrades;
    }

    @Override
    public List<String> ids() {
        return List.of("P19a", "P19b", "P22a", "P22b", "P22c");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException {
        SortedMap<String, Double> left = upgrades.perUpgrade();
        UpgradedFleetTables smaller =
                new UpgradedFleetTables(sizes.tracked(), PERCENT_RECENT, table -> recordsOf(left, table));
        ProcessUsageMeter.ProcessUsage little;
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            smaller.write(kafkaTestBed);
            PairedRuns pairedRuns = PairedRuns.runPairs(
                    sizes.pairs(),
                    () -> restoreInNewJvm(kafkaTestBed, ColdRestoreMain.STANDBY),
                    () -> restoreInNewJvm(kafkaTestBed, ColdRestoreMain.PLAIN));
            pairedRuns.add(
                    measurements,
                    "P19a",
                    "restore / plain consumer of the same tables, records/s, both in new JVMs",
                    String.format(
                            "%,d machines: %,.0f/s and %,.0f/s, from the start of main",
                            smaller.fleet().machines(), pairedRuns.flotilla(), pairedRuns.reference()),
                    BetterDirection.HIGHER,
                    0.4,
                    0.7);
            addRead(measurements, smaller, left.isEmpty());
            little = watch(kafkaTestBed, smaller);
        }
        UpgradedFleetTables larger = new UpgradedFleetTables(sizes.trackedMost(), 0, table -> 0);
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            larger.write(kafkaTestBed);
            add(
                    measurements,
                    larger.fleet().machines(),
                    watch(kafkaTestBed, larger),
                    smaller.fleet().machines(),
                    little);
        }
    }

    private static double recordsOf(SortedMap<String, Double> left, Table table) {
        return left.getOrDefault(table.label(), 0.0);
    }

    private void addRead(Measurements measurements, UpgradedFleetTables fleet, boolean unknown) {
        if (unknown) {
            measurements.addInvalid("P19b", "the records that an upgrade leaves were not measured");
            return;
        }
        measurements.add(new Measurement(
                "P19b",
                "records read to restore / live keys",
                "compacted except for the records of upgrades in 20 minutes, 3 % in flight for 5 minutes each, as counted for"
                        + " P18",
                restored / fleet.liveRows(),
                "ratio",
                BetterDirection.LOWER,
                2.0,
                1.3,
                false,
                null));
    }

    /** Reads all tables in a new JVM. Returns records per second. */
    private double restoreInNewJvm(KafkaTestBed kafkaTestBed, String how) throws InterruptedException {
        ChildProcess child = kafkaTestBed.launch(
                "cold-" + how, List.of(), ColdRestoreMain.class.getName(), how, kafkaTestBed.bootstrap());
        String[] output = child.awaitLine(ColdRestoreMain.READ).split(" ", -1);
        child.awaitExit();
        double records = Double.parseDouble(output[1]);
        if (how.equals(ColdRestoreMain.STANDBY)) {
            restored = records;
        }
        return records * 1e9 / Double.parseDouble(output[2]);
    }

    private ProcessUsageMeter.ProcessUsage watch(KafkaTestBed kafkaTestBed, UpgradedFleetTables idle)
            throws InterruptedException {
        try (SiteHeartbeatSender siteHeartbeatSender =
                new SiteHeartbeatSender(kafkaTestBed.bootstrap(), idle.fleet())) {
            siteHeartbeatSender.start();
            ChildProcess leader = kafkaTestBed.orchestrator("leader", "3g");
            ReplicaRoleProbe.awaitReplicaRole(leader, "leader");
            awaitIdleCompilers(leader);
            return ProcessUsageMeter.watch(leader, sizes.idle());
        }
    }

    /** Waits until the JIT compilers are idle; after a restore they work intermittently for minutes. */
    private void awaitIdleCompilers(ChildProcess leader) throws InterruptedException {
        Duration time = sizes.idle().dividedBy(CHECKS_IN_IDLE_TIME);
        int quiet = 0;
        for (int look = 0; look < CHECKS_AT_MOST && quiet < CHECKS_AT_LEAST; look++) {
            quiet = ProcessUsageMeter.watch(leader, time).compiling() < COMPILERS_IDLE ? quiet + 1 : 0;
        }
    }

    private void add(
            Measurements measurements,
            int most,
            ProcessUsageMeter.ProcessUsage much,
            int few,
            ProcessUsageMeter.ProcessUsage little) {
        String where = String.format(
                "a leader with heartbeats of 10 sites, idle for %d s",
                sizes.idle().toSeconds());
        measurements.add(row(
                "P22a",
                String.format("idle CPU with %,d machines tracked", most),
                String.format("%s; its compilers took %.2f %% of it", where, much.compiling() * HUNDRED),
                much.cpu() * HUNDRED,
                "%",
                3,
                1));
        if (much.wakeUps() >= 0) {
            measurements.add(row(
                    "P22b",
                    String.format("idle wake-ups with %,d machines tracked", most),
                    "all threads of the JVM; most: " + much.most(),
                    much.wakeUps(),
                    "1/s",
                    100,
                    40));
        }
        measurements.add(row(
                "P22c",
                String.format("growth of idle CPU, exponent from %,d to %,d machines", few, most),
                String.format(
                        "without compilers: %.2f %% and %.2f %%",
                        little.withoutCompilers() * HUNDRED, much.withoutCompilers() * HUNDRED),
                Math.log(much.withoutCompilers() / little.withoutCompilers()) / Math.log((double) most / few),
                "exponent",
                0.2,
                0));
    }

    private static Measurement row(
            String id, String name, String detail, double value, String unit, double floor, double goal) {
        return new Measurement(id, name, detail, value, unit, BetterDirection.LOWER, floor, goal, false, null);
    }
}
