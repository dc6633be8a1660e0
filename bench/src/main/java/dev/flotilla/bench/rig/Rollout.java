package dev.flotilla.bench.rig;

import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.node.Releases;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A campaign over all machines of a fleet, to its last success. */
public final class Rollout {
    private static final Limit MAX_UNAVAILABLE = new Limit.Percent(30);
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private Rollout() {}

    /**
     * Plays it.
     *
     * @param sites ends when the machines' sites do: nothing more would come of it
     */
    public static void play(CompletableFuture<?> sites, RowSender sender, JournalWatch journal, int minor, int machines)
            throws InterruptedException {
        int before = journal.count(JournalWatch.SUCCEEDED);
        sender.send(
                Place.of(Table.CAMPAIGNS),
                BenchFleet.campaign(
                        "minor-" + minor, new UpgradeOption.Channel(Releases.channel(minor)), MAX_UNAVAILABLE));
        sender.flush();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (journal.count(JournalWatch.SUCCEEDED) < before + machines) {
            if (System.nanoTime() > until || sites.isDone()) {
                throw new IllegalStateException("only " + (journal.count(JournalWatch.SUCCEEDED) - before) + " of "
                        + machines + " machines were upgraded within " + PATIENCE);
            }
            Thread.sleep(20);
        }
    }
}
