package dev.flotilla.bench.harness;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.node.SnapReleases;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Runs a campaign over all machines of a fleet until its last success. */
public final class CampaignRunner {
    private static final CountOrPercent MAX_UNAVAILABLE = new CountOrPercent.Percent(30);
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    private CampaignRunner() {}

    /**
     * Runs the campaign.
     *
     * @param sites completes when the simulated sites end, so that waiting is useless
     */
    public static void run(
            CompletableFuture<?> sites, RowSender sender, JournalWatcher journal, int minor, int machines)
            throws InterruptedException {
        int before = journal.count(JournalWatcher.SUCCEEDED);
        sender.send(
                TablePartition.of(Table.CAMPAIGNS),
                BenchmarkFleet.campaign(
                        "minor-" + minor, new UpgradeTarget.Channel(SnapReleases.channel(minor)), MAX_UNAVAILABLE));
        sender.flush();
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (journal.count(JournalWatcher.SUCCEEDED) < before + machines) {
            if (System.nanoTime() > until || sites.isDone()) {
                throw new IllegalStateException("only " + (journal.count(JournalWatcher.SUCCEEDED) - before) + " of "
                        + machines + " machines were upgraded within " + TIMEOUT);
            }
            Thread.sleep(20);
        }
    }
}
