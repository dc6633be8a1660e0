package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.Child;
import dev.flotilla.bench.rig.Pairs;
import dev.flotilla.bench.rig.ProcessMeter;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** P19 and P22: the tables of large fleets are restored, and a leader has nothing to do. */
final class Rest implements Scene {
    /** What 3 % in flight for 5 minutes each come to in the 20 minutes that records may lie about: 12 %. */
    private static final int PERCENT_RECENT = 12;

    /** A leader is at rest when its compilers are: they take less than this share of a processor. */
    private static final double COMPILERS_REST = 0.003;

    /** Of a rest's length. */
    private static final int LOOKS_IN_A_REST = 6;

    private static final int LOOKS_AT_LEAST = 3;
    private static final int LOOKS_AT_MOST = 24;
    private static final int HUNDRED = 100;

    private final Sizes sizes;
    private final UpgradeCost upgrades;
    private double restored;

    Rest(Sizes sizes, UpgradeCost upgrades) {
        this.sizes = sizes;
        this.upgrades = upgrades;
    }

    @Override
    public List<String> ids() {
        return List.of("P19a", "P19b", "P22a", "P22b", "P22c");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException {
        SortedMap<String, Double> left = upgrades.perUpgrade();
        StandingFleet smaller = new StandingFleet(sizes.tracked(), PERCENT_RECENT, table -> left(left, table));
        ProcessMeter.Use little;
        try (Rig rig = Rig.start()) {
            smaller.write(rig);
            Pairs pairs =
                    Pairs.play(sizes.pairs(), () -> cold(rig, ColdRestore.OURS), () -> cold(rig, ColdRestore.PLAIN));
            pairs.add(
                    figures,
                    "P19a",
                    "restore / plain consumer of the same tables, records/s, both in new JVMs",
                    String.format(
                            "%,d machines: %,.0f/s and %,.0f/s, from the start of main",
                            smaller.fleet().machines(), pairs.ours(), pairs.theirs()),
                    Better.HIGHER,
                    0.4,
                    0.7);
            addRead(figures, smaller, left.isEmpty());
            little = watch(rig, smaller);
        }
        StandingFleet larger = new StandingFleet(sizes.trackedMost(), 0, table -> 0);
        try (Rig rig = Rig.start()) {
            larger.write(rig);
            add(
                    figures,
                    larger.fleet().machines(),
                    watch(rig, larger),
                    smaller.fleet().machines(),
                    little);
        }
    }

    private static double left(SortedMap<String, Double> left, Table table) {
        return left.getOrDefault(table.label(), 0.0);
    }

    private void addRead(Figures figures, StandingFleet fleet, boolean unknown) {
        if (unknown) {
            figures.invalidate("P19b", "what an upgrade leaves was not measured");
            return;
        }
        figures.add(new Figure(
                "P19b",
                "records read to restore / live keys",
                "compacted but for what upgrades of 20 minutes left, 3 % in flight for 5 minutes each, as counted for"
                        + " P18",
                restored / fleet.live(),
                "ratio",
                Better.LOWER,
                2.0,
                1.3,
                false,
                null));
    }

    /** Reads all tables in a JVM of its own. Returns records per second. */
    private double cold(Rig rig, String how) throws InterruptedException {
        Child child = rig.launch("cold-" + how, List.of(), ColdRestore.class.getName(), how, rig.bootstrap());
        String[] said = child.await(ColdRestore.READ).split(" ", -1);
        child.end();
        double records = Double.parseDouble(said[1]);
        if (how.equals(ColdRestore.OURS)) {
            restored = records;
        }
        return records * 1e9 / Double.parseDouble(said[2]);
    }

    private ProcessMeter.Use watch(Rig rig, StandingFleet standing) throws InterruptedException {
        try (Heartbeats heartbeats = new Heartbeats(rig.bootstrap(), standing.fleet())) {
            heartbeats.start();
            Child leader = rig.orchestrator("leader", "3g");
            leader.awaitStanding("leader");
            settle(leader);
            return ProcessMeter.watch(leader, sizes.rest());
        }
    }

    /** What a restore left makes work for the compilers, by fits and starts, for minutes. */
    private void settle(Child leader) throws InterruptedException {
        Duration time = sizes.rest().dividedBy(LOOKS_IN_A_REST);
        int quiet = 0;
        for (int look = 0; look < LOOKS_AT_MOST && quiet < LOOKS_AT_LEAST; look++) {
            quiet = ProcessMeter.watch(leader, time).compiling() < COMPILERS_REST ? quiet + 1 : 0;
        }
    }

    private void add(Figures figures, int most, ProcessMeter.Use much, int few, ProcessMeter.Use little) {
        String where = String.format(
                "a leader with heartbeats of 10 sites, %d s of rest",
                sizes.rest().toSeconds());
        figures.add(row(
                "P22a",
                String.format("idle CPU with %,d machines tracked", most),
                String.format("%s; its compilers took %.2f %% of it", where, much.compiling() * HUNDRED),
                much.cpu() * HUNDRED,
                "%",
                3,
                1));
        if (much.wakeUps() >= 0) {
            figures.add(row(
                    "P22b",
                    String.format("idle wake-ups with %,d machines tracked", most),
                    "all threads of the JVM; most: " + much.most(),
                    much.wakeUps(),
                    "1/s",
                    100,
                    40));
        }
        figures.add(row(
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

    private static Figure row(
            String id, String name, String detail, double value, String unit, double floor, double goal) {
        return new Figure(id, name, detail, value, unit, Better.LOWER, floor, goal, false, null);
    }
}
