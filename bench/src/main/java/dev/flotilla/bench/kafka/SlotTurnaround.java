package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Figure.Better;
import dev.flotilla.bench.Figures;
import dev.flotilla.bench.Statistics;
import dev.flotilla.bench.rig.BenchFleet;
import dev.flotilla.bench.rig.Pairs;
import dev.flotilla.bench.rig.Rig;
import dev.flotilla.bench.rig.RowSender;
import dev.flotilla.bench.rig.Scene;
import dev.flotilla.orchestrator.loop.OrchestratorLoop;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;

/** P3: how long a slot stands empty between one machine's success and the next one's call, beside what Kafka needs. */
final class SlotTurnaround implements Scene {
    private static final int SITES = 50;
    private static final int CAP = 50;
    private static final int CLUSTER = 5;
    private static final int WINDOWS = 6;
    private static final double COMMIT_MILLIS = OrchestratorLoop.COMMIT_EVERY.toMillis();
    private static final Duration WORK = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final Sizes sizes;

    SlotTurnaround(Sizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public List<String> ids() {
        return List.of("P3");
    }

    @Override
    public void measure(Figures figures) throws InterruptedException {
        int machines = (int) (CAP * (sizes.turnaround().toSeconds() + 10));
        BenchFleet fleet = BenchFleet.of(SITES, machines, CLUSTER);
        try (Rig rig = Rig.start()) {
            rig.makeTables(fleet.sites());
            rig.makeTopic(RoundTrips.TOPIC, 1);
            try (RowSender sender = RowSender.open(rig.bootstrap());
                    Heartbeats heartbeats = new Heartbeats(rig.bootstrap(), fleet);
                    LoopWatch loop = new LoopWatch(rig.bootstrap());
                    PromptWorker worker = new PromptWorker(rig.bootstrap(), fleet.sites(), CAP, WORK);
                    RoundTrips trips = new RoundTrips(rig.bootstrap())) {
                heartbeats.start();
                BenchFleet.sendPolicy(sender, CAP);
                fleet.sendInventory(sender);
                sender.flush();
                loop.start();
                loop.awaitLeading();
                loop.awaitQuiet(QUIET);
                worker.start();
                trips.start();
                BenchFleet.sendCampaign(sender, "turnaround", new UpgradeTarget.Revision("2001"));
                sender.flush();
                LoopWatch.await("busy", () -> worker.handedOn() > CAP);
                Thread.sleep(sizes.turnaround().toMillis());
                add(figures, worker.turnarounds(), trips.millis());
            }
        }
    }

    /** What was seen is cut into windows, each with both sides; the first warms. */
    private static void add(Figures figures, double[] turnarounds, double[] trips) {
        if (turnarounds.length < WINDOWS * CAP / 2) {
            throw new IllegalStateException("only " + turnarounds.length + " slots were handed on");
        }
        double[] ours = new double[WINDOWS - 1];
        double[] theirs = new double[WINDOWS - 1];
        double[] trip = new double[WINDOWS - 1];
        for (int window = 1; window < WINDOWS; window++) {
            ours[window - 1] = Statistics.median(Windows.part(turnarounds, window, WINDOWS));
            trip[window - 1] = Statistics.median(Windows.part(trips, window, WINDOWS));
            theirs[window - 1] = 2 * trip[window - 1] + 3 * COMMIT_MILLIS;
        }
        Pairs pairs = new Pairs(ours, theirs);
        pairs.add(
                figures,
                "P3",
                "success committed to the next call / (2 round trips + 3 commit intervals), 50 sites",
                String.format(
                        "p50 %.0f ms over %d slots handed on; a plain round trip takes %.1f ms; a worker that answers at once",
                        pairs.ours(), turnarounds.length, Statistics.median(trip)),
                Better.LOWER,
                4,
                1.5);
    }
}
