package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head row of a site: how far the leader has decided, and the state of the site.
 *
 * @param silentSince since when its watcher has sent no heartbeat; null while heartbeats arrive
 * @param unreachableSince since when the site is suspended, because its topics cannot be used; null while they can
 * @param unreachableReason why it is suspended; null if it is not, and in rows of earlier versions
 * @param lostTables its tables whose topics were created again or lost records, until an order to adopt the site
 * @param inFlight machines in flight there when this row was written
 * @param budgetUses the failure budget that each campaign has used there; null if it is not known
 * @param offsets the next offsets to read of the site's input topics
 * @param topicIds the ids of the topics that the offsets belong to; empty in rows of earlier versions
 * @param writeOff the last order that wrote the site off; null if there was none
 * @param adoptOrderId the id of the last order that adopted its topics; null if there was none
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
    /** The maximum number of budget uses. With more campaigns the uses are not known, and campaigns with a budget wait. */
    public static final int MAX_BUDGET_USES = 1_024;

    public static final int MAX_REASON = 512;

    /** The head of a site about which nothing is known. */
    public static SiteHead of(SiteId site) {
        return new SiteHead(site, null, null, 0, List.of(), List.of());
    }

    /** The head of a site that was never written off or adopted. */
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

    /** Returns a copy with the heartbeat missing since an instant, or arriving. */
    public SiteHead withSilentSince(@Nullable Instant silent) {
        return with(silent, unreachableSince, unreachableReason, lostTables, writeOff);
    }

    /** Returns a copy of a suspended site: its topics cannot be used. */
    public SiteHead withUnreachable(Instant since, @Nullable String reason, List<Table> without) {
        return with(silentSince, since, reason, without, writeOff);
    }

    /** Returns a copy of a resumed site. Attempts that were written off stay written off, and the site counts again. */
    public SiteHead withReachable() {
        return with(silentSince, null, null, List.of(), writeOff == null ? null : writeOff.withSiteReachable());
    }

    /** Returns a copy that an order wrote off: the whole site, if its topics cannot be used. */
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

    /** Returns a copy with new counts, offsets and topic ids. */
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

    /** Returns a copy with adopted topics: they are read from the beginning, like those of a new site. */
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

    /** Whether its topics are adopted and nothing of them was read yet. */
    public boolean isAdoptedAndUnread() {
        return adoptOrderId != null && topicIds.isEmpty();
    }

    /** Whether its topics cannot be used and it is written off: nothing waits for it. */
    public boolean isWrittenOff() {
        return writeOff != null && writeOff.since() != null;
    }

    /** Returns a copy without the counts and offsets that change at each commit: only what decisions determine. */
    public SiteHead withoutReadPosition() {
        return withReadPosition(0, List.of(), List.of(), List.of());
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.HEAD, site);
    }
}
