package dev.flotilla.bench.rig;

import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.testkit.sites.SimulatedSites;
import java.time.Duration;

/** A campaign over all machines of simulated sites, to its last success. */
public final class Rollout {
    private static final Limit MAX_UNAVAILABLE = new Limit.Percent(30);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private Rollout() {}

    public static void play(SimulatedSites sites, RowSender sender, JournalWatch journal, int minor, int machines)
            throws InterruptedException {
        int before = journal.count(JournalWatch.SUCCEEDED);
        sender.send(
                Place.of(Table.CAMPAIGNS),
                BenchFleet.campaign(
                        "minor-" + minor, new UpgradeOption.Channel(Releases.channel(minor)), MAX_UNAVAILABLE));
        sender.flush();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (journal.count(JournalWatch.SUCCEEDED) < before + machines) {
            if (System.nanoTime() > until || sites.ended().isDone()) {
                throw new IllegalStateException("only " + (journal.count(JournalWatch.SUCCEEDED) - before) + " of "
                        + machines + " machines were upgraded within " + PATIENCE);
            }
            Thread.sleep(20);
        }
    }
}
