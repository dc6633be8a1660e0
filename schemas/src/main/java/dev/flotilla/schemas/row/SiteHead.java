package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the orchestrator stands to a site.
 *
 * @param silentSince when its watcher's heartbeat was missed; null while it is heard
 * @param unreachableSince when its topics could no longer be read or written; null while they can
 * @param inFlight machines in flight there when this was written
 * @param budgets what campaigns with a failure budget have used of it there, by campaign; null where nobody said
 * @param offsets of the site's input topics
 * @param writeOff the last order that wrote the site off; null where there was none
 */
public record SiteHead(
        SiteId site,
        @Nullable Instant silentSince,
        @Nullable Instant unreachableSince,
        int inFlight,
        @Nullable List<BudgetUse> budgets,
        List<Offset> offsets,
        @Nullable SiteWriteOff writeOff)
        implements Row {
    /** More campaigns than these are not said anything of: then nobody knows, and those with a budget wait. */
    public static final int MAX_BUDGETS = 1_024;

    /** Of a site that nothing is known of, and nothing was done in. */
    public static SiteHead of(SiteId site) {
        return new SiteHead(site, null, null, 0, List.of(), List.of());
    }

    /** Of a site that was never written off. */
    public SiteHead(
            SiteId site,
            @Nullable Instant silentSince,
            @Nullable Instant unreachableSince,
            int inFlight,
            @Nullable List<BudgetUse> budgets,
            List<Offset> offsets) {
        this(site, silentSince, unreachableSince, inFlight, budgets, offsets, null);
    }

    public SiteHead {
        budgets = budgets == null ? null : List.copyOf(budgets);
        offsets = List.copyOf(offsets);
    }

    /** With other news of its watcher and its topics. */
    public SiteHead with(@Nullable Instant silent, @Nullable Instant unreachable) {
        SiteWriteOff still = writeOff != null && unreachable == null ? writeOff.ended() : writeOff;
        return new SiteHead(site, silent, unreachable, inFlight, budgets, offsets, still);
    }

    /** With what was counted there, and how far its inputs are read. */
    public SiteHead stamped(int flying, @Nullable List<BudgetUse> used, List<Offset> read) {
        return new SiteHead(site, silentSince, unreachableSince, flying, used, read, writeOff);
    }

    /** Written off by an order: as a whole while its topics cannot be used. */
    public SiteHead writtenOff(long below, String order, Instant at) {
        SiteWriteOff now = new SiteWriteOff(below, order, unreachableSince == null ? null : at);
        return new SiteHead(site, silentSince, unreachableSince, inFlight, budgets, offsets, now);
    }

    /** Whether its topics cannot be used and somebody has given it up: nobody waits for it. */
    public boolean isWrittenOff() {
        return writeOff != null && writeOff.since() != null;
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.HEAD, site);
    }
}
