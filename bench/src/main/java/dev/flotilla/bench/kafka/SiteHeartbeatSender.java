package dev.flotilla.bench.kafka;

import dev.flotilla.bench.rig.BenchmarkFleet;
import dev.flotilla.bench.rig.RowSender;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The word of each site that it is watched, every ten seconds, as long as this is open. */
final class SiteHeartbeatSender implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final RowSender sender;
    private final BenchmarkFleet fleet;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("heartbeats").daemon().factory());

    SiteHeartbeatSender(String bootstrap, BenchmarkFleet fleet) {
        this.sender = RowSender.open(bootstrap);
        this.fleet = fleet;
    }

    /** Says it once, at once, and then again and again. */
    void start() {
        fleet.sendHeartbeats(sender);
        sender.flush();
        var unused = thread.scheduleAtFixedRate(
                () -> fleet.sendHeartbeats(sender), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        sender.close();
    }
}
