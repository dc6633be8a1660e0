package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.RowSender;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Sends a heartbeat of each site every ten seconds until it is closed. */
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

    /** Sends the first heartbeats at once, then repeatedly. */
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
