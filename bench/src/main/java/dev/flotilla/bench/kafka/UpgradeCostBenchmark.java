package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.CampaignRunner;
import dev.flotilla.bench.harness.JournalWatcher;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.ProcessUsageMeter;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SimulatedSites;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** P18 and P5: records of an upgrade in Kafka and its CPU cost for the orchestrator, without faults. */
final class UpgradeCostBenchmark implements Benchmark {
    private static final int SITES = 3;
    private static final int CLUSTER = 6;
    private static final double SPEED = 200;

    /** Gives about 100 upgrades per second, as a million machines with 3 % in flight for 5 minutes each. */
    private static final int MOST_IN_FLIGHT = 300;

    private static final Duration AFTERWARDS = Duration.ofSeconds(3);
    private static final double MILLI = 1e6;

    private final BenchmarkSizes sizes;
    private SortedMap<String, Double> perUpgrade = new TreeMap<>();

    UpgradeCostBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
    }

    /** Records of an upgrade, by table; empty before the measurement. */
    SortedMap<String, Double> perUpgrade() {
        return new TreeMap<>(perUpgrade);
    }

    @Override
    public List<String> ids() {
        return List.of("P5", "P18a", "P18b", "P18c");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        int machines = sizes.upgrades();
        SitesSpec spec = new SitesSpec(SITES, machines / CLUSTER, machines, 0, 1, SPEED);
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(new SitesFleetLayout(spec).sites());
            ChildProcess orchestrator = kafkaTestBed.orchestrator("orchestrator", "512m");
            try (SimulatedSites sites = SimulatedSites.start(
                            kafkaTestBed.bootstrap(),
                            spec,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    JournalWatcher journal = JournalWatcher.start(kafkaTestBed.bootstrap())) {
                BenchmarkFleet.sendPolicy(sender, Math.min(MOST_IN_FLIGHT, machines / 4));
                // The first run resolves the channel and warms up.
                CampaignRunner.run(sites.ended(), sender, journal, 1, machines);
                Thread.sleep(AFTERWARDS.toMillis());
                TopicRecordCounter counter = TopicRecordCounter.startCounting(kafkaTestBed);
                Duration before = ProcessUsageMeter.cpu(orchestrator);
                long began = System.nanoTime();
                CampaignRunner.run(sites.ended(), sender, journal, 2, machines);
                double seconds = (System.nanoTime() - began) / 1e9;
                Thread.sleep(AFTERWARDS.toMillis());
                Duration cost = ProcessUsageMeter.cpu(orchestrator).minus(before);
                add(measurements, counter.stopCounting(), cost, machines, machines / seconds);
            }
        }
    }

    private void add(
            Measurements measurements,
            TopicRecordCounter.TopicRecordCount topicRecordCount,
            Duration cost,
            int machines,
            double rate) {
        perUpgrade = each(topicRecordCount.records(), machines);
        String where = machines + " upgrades, " + Math.round(rate) + "/s";
        measurements.add(new Measurement(
                "P5",
                "orchestrator's CPU per upgrade, fault-free",
                where + "; without the worker's and the watcher's",
                cost.toNanos() / MILLI / machines,
                "ms",
                BetterDirection.LOWER,
                10.0,
                3.0,
                false,
                null));
        measurements.add(unconfirmedCount(
                "P18a",
                "records per upgrade, all topics",
                where + ": " + listed(perUpgrade, "%s %.1f"),
                topicRecordCount.allRecords(),
                machines,
                "records",
                20,
                14));
        measurements.add(unconfirmedCount(
                "P18b",
                "bytes per upgrade, uncompressed",
                listed(each(topicRecordCount.bytes(), machines), "%s %.0f"),
                topicRecordCount.allBytes(),
                machines,
                "B",
                10_000,
                5_000));
        measurements.add(unconfirmedCount(
                "P18c",
                "bytes per upgrade, on disk",
                "all producers compress with zstd: " + listed(each(topicRecordCount.disk(), machines), "%s %.0f"),
                topicRecordCount.allDisk(),
                machines,
                "B",
                3_000,
                1_500));
    }

    /** Makes a count that does not gate as long as its floor is not confirmed. */
    private static Measurement unconfirmedCount(
            String id, String name, String detail, long all, int machines, String unit, double floor, double goal) {
        return new Measurement(
                id, name, detail, (double) all / machines, unit, BetterDirection.LOWER, floor, goal, false, null);
    }

    private static SortedMap<String, Double> each(Map<String, Long> all, int machines) {
        SortedMap<String, Double> each = new TreeMap<>();
        all.forEach((table, sum) -> each.put(table, (double) sum / machines));
        return each;
    }

    private static String listed(Map<String, Double> each, String form) {
        return each.entrySet().stream()
                .map(entry -> String.format(form, entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", "));
    }
}
