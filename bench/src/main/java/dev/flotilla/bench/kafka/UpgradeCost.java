package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.BenchFleet;
import dev.flotilla.bench.rig.Child;
import dev.flotilla.bench.rig.JournalWatch;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.Rollout;
import dev.flotilla.bench.rig.RowSender;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.testkit.sites.SimulatedSites;
import dev.flotilla.testkit.sites.SitesFleet;
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

/** P18 and P5: what an upgrade leaves in Kafka and costs the orchestrator, where nothing fails. */
final class UpgradeCost implements Scene {
    private static final int SITES = 3;
    private static final int CLUSTER = 6;
    private static final double SPEED = 200;

    /** About 100 upgrades a second, as of a million machines with 3 % in flight for 5 minutes each. */
    private static final int MOST_IN_FLIGHT = 300;

    private static final Duration AFTERWARDS = Duration.ofSeconds(3);
    private static final double MILLI = 1e6;

    private final Sizes sizes;
    private SortedMap<String, Double> perUpgrade = new TreeMap<>();

    UpgradeCost(Sizes sizes) {
        this.sizes = sizes;
    }

    /** Records that an upgrade leaves, by table; empty before it was measured. */
    SortedMap<String, Double> perUpgrade() {
        return new TreeMap<>(perUpgrade);
    }

    @Override
    public List<String> ids() {
        return List.of("P5", "P18a", "P18b", "P18c");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException, IOException {
        int machines = sizes.upgrades();
        SitesSpec spec = new SitesSpec(SITES, machines / CLUSTER, machines, 0, 1, SPEED);
        try (Rig rig = Rig.start()) {
            rig.makeTables(new SitesFleet(spec).sites());
            Child orchestrator = rig.orchestrator("orchestrator", "512m");
            try (SimulatedSites sites = SimulatedSites.start(
                            rig.bootstrap(), spec, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    RowSender sender = RowSender.open(rig.bootstrap());
                    JournalWatch journal = JournalWatch.start(rig.bootstrap())) {
                BenchFleet.sendPolicy(sender, Math.min(MOST_IN_FLIGHT, machines / 4));
                // The first teaches what the channel means, and warms.
                Rollout.play(sites.ended(), sender, journal, 1, machines);
                Thread.sleep(AFTERWARDS.toMillis());
                TopicTally tally = TopicTally.begin(rig);
                Duration before = orchestrator.cpu();
                long began = System.nanoTime();
                Rollout.play(sites.ended(), sender, journal, 2, machines);
                double seconds = (System.nanoTime() - began) / 1e9;
                Thread.sleep(AFTERWARDS.toMillis());
                Duration cost = orchestrator.cpu().minus(before);
                add(figures, tally.end(), cost, machines, machines / seconds);
            }
        }
    }

    private void add(Figures figures, TopicTally.Count count, Duration cost, int machines, double rate) {
        perUpgrade = each(count.records(), machines);
        String where = machines + " upgrades, " + Math.round(rate) + "/s";
        figures.add(new Figure(
                "P5",
                "orchestrator's CPU per upgrade, fault-free",
                where + "; the worker's and the watcher's are not in it",
                cost.toNanos() / MILLI / machines,
                "ms",
                Better.LOWER,
                10.0,
                3.0,
                false,
                null));
        figures.add(confirm(
                "P18a",
                "records per upgrade, all topics",
                where + ": " + listed(perUpgrade, "%s %.1f"),
                count.allRecords(),
                machines,
                "records",
                20,
                14));
        figures.add(confirm(
                "P18b",
                "bytes per upgrade, uncompressed",
                listed(each(count.bytes(), machines), "%s %.0f"),
                count.allBytes(),
                machines,
                "B",
                10_000,
                5_000));
        figures.add(confirm(
                "P18c",
                "bytes per upgrade, on disk",
                "all producers compress with zstd: " + listed(each(count.disk(), machines), "%s %.0f"),
                count.allDisk(),
                machines,
                "B",
                3_000,
                1_500));
    }

    /** A count that gates once its mark is confirmed. */
    private static Figure confirm(
            String id, String name, String detail, long all, int machines, String unit, double floor, double goal) {
        return new Figure(id, name, detail, (double) all / machines, unit, Better.LOWER, floor, goal, false, null);
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
