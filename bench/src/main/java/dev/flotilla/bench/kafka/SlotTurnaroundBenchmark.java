package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.PairedRuns;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.bench.harness.Statistics;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;

/**
 * P3: how long a slot is empty between one machine's success and the next one's call, compared with what Kafka needs.
 */
final class SlotTurnaroundBenchmark implements Benchmark {
    private static final int SITES = 50;
    private static final int CAP = 50;
    private static final int CLUSTER = 5;
    private static final int WINDOWS = 6;
    private static final double COMMIT_MILLIS = LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis();
    private static final Duration WORK = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final BenchmarkSizes sizes;

    SlotTurnaroundBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
    }

    @Override
    public List<String> ids() {
        return List.of("P3");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException {
        int machines = (int) (CAP * (sizes.turnaround().toSeconds() + 10));
        BenchmarkFleet fleet = BenchmarkFleet.createFleet(SITES, machines, CLUSTER);
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            kafkaTestBed.createTables(fleet.sites());
            kafkaTestBed.createTopic(RecordRoundTripMeter.TOPIC, 1);
            try (RowSender sender = RowSender.open(kafkaTestBed.bootstrap());
                    SiteHeartbeatSender siteHeartbeatSender = new SiteHeartbeatSender(kafkaTestBed.bootstrap(), fleet);
                    MeasuredOrchestratorLoop loop = new MeasuredOrchestratorLoop(kafkaTestBed.bootstrap());
                    InstantWorker worker = new InstantWorker(kafkaTestBed.bootstrap(), fleet.sites(), CAP, WORK);
                    RecordRoundTripMeter trips = new RecordRoundTripMeter(kafkaTestBed.bootstrap())) {
                siteHeartbeatSender.start();
                BenchmarkFleet.sendPolicy(sender, CAP);
                fleet.sendInventory(sender);
                sender.flush();
                loop.start();
                loop.awaitLeading();
                loop.awaitQuiet(QUIET);
                worker.start();
                trips.start();
                BenchmarkFleet.sendCampaign(sender, "turnaround", new UpgradeTarget.Revision("2001"));
                sender.flush();
                MeasuredOrchestratorLoop.await("all slots in use", () -> worker.countTurnarounds() > CAP);
                Thread.sleep(sizes.turnaround().toMillis());
                add(measurements, worker.stopAndReadTurnarounds(), trips.millis());
            }
        }
    }

    /** Cuts the samples into windows with both sides; the first window warms up. */
    private static void add(Measurements measurements, double[] turnarounds, double[] trips) {
        if (turnarounds.length < WINDOWS * CAP / 2) {
            throw new IllegalStateException("only " + turnarounds.length + " slots were used again");
        }
        double[] slotMillis = new double[WINDOWS - 1];
        double[] neededMillis = new double[WINDOWS - 1];
        double[] trip = new double[WINDOWS - 1];
        for (int window = 1; window < WINDOWS; window++) {
            slotMillis[window - 1] = Statistics.median(SampleArraySlicer.partOf(turnarounds, window, WINDOWS));
            trip[window - 1] = Statistics.median(SampleArraySlicer.partOf(trips, window, WINDOWS));
            neededMillis[window - 1] = 2 * trip[window - 1] + 3 * COMMIT_MILLIS;
        }
        PairedRuns pairedRuns = new PairedRuns(slotMillis, neededMillis);
        pairedRuns.add(
                measurements,
                "P3",
                "success committed to the next call / (2 round trips + 3 commit intervals), 50 sites",
                String.format(
                        "p50 %.0f ms over %d slots used again; a plain round trip takes %.1f ms; a worker that answers"
                                + " at once",
                        pairedRuns.flotilla(), turnarounds.length, Statistics.median(trip)),
                BetterDirection.LOWER,
                4,
                1.5);
    }
}
