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
 * @param unreachableSince since when the site is set aside, because its topics cannot be used; null while they can
 * @param unreachableReason why; null while they can, and where an earlier version set it aside
 * @param lostTables those of its tables that were created again or lost records: only an order to adopt the site ends that
 * @param inFlight machines in flight there when this was written
 * @param budgetUses what campaigns with a failure budget have used of it there, by campaign; null where nobody said
 * @param offsets of the site's input topics
 * @param topicIds which topics those offsets are of; empty where an earlier version wrote them
 * @param writeOff the last order that wrote the site off; null where there was none
 * @param adoptOrderId the id of the last order that adopted its topics; null where there was none
 */
public record SiteHead(
        SiteId site,
        @Nullable Instant silentSince,
        @Nullable Instant unreachableSince,
        @Nullable String unreachableReason,
        List<Table> lostTables,
        int inFlight,
        @Nullable List<FailureBudgetUse> budgetUses,
        List<PartitionOffset> offsets,
        List<TopicId> topicIds,
        @Nullable SiteWriteOff writeOff,
        @Nullable String adoptOrderId)
        implements TableRow {
    /** More campaigns than these are not said anything of: then nobody knows, and those with a budget wait. */
    public static final int MAX_BUDGETS = 1_024;

    public static final int MAX_REASON = 512;

    /** Of a site that nothing is known of, and nothing was done in. */
    public static SiteHead of(SiteId site) {
        return new SiteHead(site, null, null, 0, List.of(), List.of());
    }

    /** Of a site that was never written off or adopted. */
    public SiteHead(
            SiteId site,
            @Nullable Instant silentSince,
            @Nullable Instant unreachableSince,
            int inFlight,
            @Nullable List<FailureBudgetUse> budgets,
            List<PartitionOffset> offsets) {
        this(site, silentSince, unreachableSince, null, List.of(), inFlight, budgets, offsets, List.of(), null, null);
    }

    public SiteHead {
        lostTables = List.copyOf(lostTables);
        budgetUses = budgetUses == null ? null : List.copyOf(budgetUses);
        offsets = List.copyOf(offsets);
        topicIds = List.copyOf(topicIds);
    }

    /** With other news of its watcher. */
    public SiteHead withSilentSince(@Nullable Instant silent) {
        return with(silent, unreachableSince, unreachableReason, lostTables, writeOff);
    }

    /** Set aside: its topics cannot be used. */
    public SiteHead withUnreachable(Instant since, @Nullable String reason, List<Table> without) {
        return with(silentSince, since, reason, without, writeOff);
    }

    /** Its topics can be used. What was in flight there stays written off, and the site counts again. */
    public SiteHead withReachable() {
        return with(silentSince, null, null, List.of(), writeOff == null ? null : writeOff.withSiteReachable());
    }

    /** Written off by an order: as a whole while its topics cannot be used. */
    public SiteHead withWriteOff(long below, String order, Instant at) {
        SiteWriteOff now = new SiteWriteOff(below, order, unreachableSince == null ? null : at);
        return with(silentSince, unreachableSince, unreachableReason, lostTables, now);
    }

    private SiteHead with(
            @Nullable Instant silent,
            @Nullable Instant unreachable,
            @Nullable String reason,
            List<Table> without,
            @Nullable SiteWriteOff written) {
        return new SiteHead(
                site,
                silent,
                unreachable,
                reason,
                without,
                inFlight,
                budgetUses,
                offsets,
                topicIds,
                written,
                adoptOrderId);
    }

    /** With what was counted there, how far its inputs are read, and of which topics that is. */
    public SiteHead withReadPosition(
            int flying, @Nullable List<FailureBudgetUse> used, List<PartitionOffset> read, List<TopicId> of) {
        return new SiteHead(
                site,
                silentSince,
                unreachableSince,
                unreachableReason,
                lostTables,
                flying,
                used,
                read,
                of,
                writeOff,
                adoptOrderId);
    }

    /** Its topics, whichever they are, are read from their beginnings, as those of a new site. */
    public SiteHead withAdoption(String order) {
        return new SiteHead(
                site,
                silentSince,
                unreachableSince,
                unreachableReason,
                List.of(),
                inFlight,
                budgetUses,
                List.of(),
                List.of(),
                writeOff,
                order);
    }

    /** Whether its topics are adopted, and nothing of them is read yet. */
    public boolean isAwaitingRead() {
        return adoptOrderId != null && topicIds.isEmpty();
    }

    /** Whether its topics cannot be used and somebody has given it up: nobody waits for it. */
    public boolean isWrittenOff() {
        return writeOff != null && writeOff.since() != null;
    }

    /** What of it follows from decisions alone, without what is counted and read at each commit. */
    public SiteHead withoutReadPosition() {
        return withReadPosition(0, List.of(), List.of(), List.of());
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.HEAD, site);
    }
}
