package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figure;
import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.rig.BenchFleet;
import dev.flotilla.bench.rig.Child;
import dev.flotilla.bench.rig.JournalWatch;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.RowSender;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.testkit.sites.SimulatedSites;
import dev.flotilla.testkit.sites.SitesFleet;
import dev.flotilla.testkit.sites.SitesSpec;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * P27: a campaign without trouble, and the next one over the same machines, in which the leader, a worker and a watcher
 * are killed, and the broker is killed and started again.
 */
final class FaultedRollout implements Scene {
    private static final int SITES = 3;
    private static final int CLUSTER = 6;

    /** A node takes about 10 s: with more it would take most of the time that all figures take. */
    private static final double SPEED = 60;

    private static final int IN_TURN = 6;
    private static final int OK = 200;
    private static final Limit MAX_UNAVAILABLE = new Limit.Percent(30);
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Sizes sizes;

    FaultedRollout(Sizes sizes) {
        this.sizes = sizes;
    }

    /** What happens when another sixth of the machines is done. */
    private interface Fault {
        void strike() throws InterruptedException, IOException;
    }

    @Override
    public List<String> ids() {
        return List.of("P27");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException, IOException {
        int machines = sizes.faulted();
        int cap = machines / IN_TURN;
        SitesSpec spec = new SitesSpec(SITES, machines / CLUSTER, machines, 0, 1, SPEED);
        try (Rig rig = Rig.start()) {
            rig.makeTables(new SitesFleet(spec).sites());
            Child leader = rig.orchestrator("orchestrator-1", "512m");
            leader.awaitStanding("leader");
            Child standby = rig.orchestrator("orchestrator-2", "512m");
            standby.awaitStanding("standby");
            try (SimulatedSites sites = SimulatedSites.start(
                            rig.bootstrap(), spec, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                    RowSender sender = RowSender.open(rig.bootstrap());
                    JournalWatch journal = JournalWatch.start(rig.bootstrap())) {
                BenchFleet.sendPolicy(sender, cap);
                double without = rollout(sender, journal, 1, machines, List.of());
                double with = rollout(
                        sender,
                        journal,
                        2,
                        machines,
                        List.of(
                                () -> kill(sites, "worker"),
                                () -> {
                                    leader.kill();
                                    leader.end();
                                    rig.orchestrator("orchestrator-3", "512m");
                                },
                                () -> kill(sites, "watcher"),
                                rig::restartBroker));
                figures.add(new Figure(
                        "P27",
                        "makespan with a kill of each process and a broker's restart / without",
                        String.format(
                                "%d machines of about 10 s, %d at once: %.1f s and %.1f s; worker and watcher simulated",
                                machines, cap, with, without),
                        with / without,
                        "ratio",
                        Better.LOWER,
                        1.15,
                        1.05,
                        false,
                        null));
            }
        }
    }

    /** Returns its seconds from the first word of it to its last success. */
    private static double rollout(RowSender sender, JournalWatch journal, int minor, int machines, List<Fault> faults)
            throws InterruptedException, IOException {
        int before = journal.count(JournalWatch.SUCCEEDED);
        long began = System.nanoTime();
        sender.send(
                Place.of(Table.CAMPAIGNS),
                BenchFleet.campaign(
                        "rollout-" + minor, new UpgradeOption.Channel(Releases.channel(minor)), MAX_UNAVAILABLE));
        sender.flush();
        for (int i = 0; i < faults.size(); i++) {
            awaitDone(journal, before + machines * (i + 1) / IN_TURN, began);
            faults.get(i).strike();
        }
        awaitDone(journal, before + machines, began);
        return (System.nanoTime() - began) / 1e9;
    }

    private static void awaitDone(JournalWatch journal, int succeeded, long began) throws InterruptedException {
        while (journal.count(JournalWatch.SUCCEEDED) < succeeded) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IllegalStateException("only " + journal.count(JournalWatch.SUCCEEDED) + " of " + succeeded
                        + " machines were upgraded within " + PATIENCE);
            }
            Thread.sleep(20);
        }
    }

    private static void kill(SimulatedSites sites, String what) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                sites.uri().resolve("/kill?what=" + what).toURL().openConnection();
        connection.setRequestMethod("POST");
        if (connection.getResponseCode() != OK) {
            throw new IllegalStateException("no " + what + " to kill");
        }
    }
}
