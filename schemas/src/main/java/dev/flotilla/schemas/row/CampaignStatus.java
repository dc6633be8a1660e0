package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a campaign.
 *
 * @param uid the seq of its first acceptance after absence
 * @param acceptedCampaign the newest specification that was accepted
 * @param pauseReason why it paused by itself, or who paused it and why
 * @param resolvedTargets the revisions and versions that the target resolved to
 * @param retriedBeforeSeq machines that were quarantined by an earlier decision are retried; zero for none
 * @param appliedOrders the ids of the orders applied last, by kind; skips are in the machines' rollout entries
 * @param approvals approvals that were given and that are still needed
 * @param failuresOfDeletedMachines failed machines whose name another machine has taken: they still count against the failure budget
 */
public record CampaignStatus(
        CampaignName name,
        long uid,
        Campaign acceptedCampaign,
        CampaignState state,
        @Nullable String pauseReason,
        Instant stateSince,
        List<ResolvedTarget> resolvedTargets,
        long retriedBeforeSeq,
        List<AppliedOrder> appliedOrders,
        CampaignApprovals approvals,
        int failuresOfDeletedMachines)
        implements TableRow {

    /**
     * What the target resolves to for an architecture in a site. Sites are kept apart because each may use a different snap store.
     *
     * @param version the Kubernetes version that the first upgraded node there shows; null if it shows none
     * @param site null in rows of earlier versions, which mean all sites
     */
    public record ResolvedTarget(
            String architecture,
            String revision,
            @Nullable String version,
            @Nullable SiteId site) {
        public boolean appliesTo(SiteId where) {
            return site == null || site.equals(where);
        }

        /** Whether its texts are within their maximum length and contain plain characters only. */
        public boolean isShort() {
            return isShort(architecture) && isShort(revision) && (version == null || isShort(version));
        }

        /** Returns how many characters it takes in the row. */
        public int chars() {
            return JSON_OVERHEAD
                    + architecture.length()
                    + revision.length()
                    + (version == null ? 0 : version.length())
                    + (site == null ? 0 : site.name().length());
        }

        private static boolean isShort(String text) {
            return text.length() <= MAX_RESOLVED_TEXT
                    && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
        }
    }

    /** The maximum number of resolved targets that a reader accepts. */
    public static final int MAX_RESOLVED_TARGETS = 1_024;

    /** The maximum number of architectures of one site, because all sites share the row. */
    public static final int MAX_RESOLVED_TARGETS_PER_SITE = 4;

    /** The maximum length of an architecture, revision or version; a longer one is ignored. */
    public static final int MAX_RESOLVED_TEXT = 32;

    /**
     * The maximum number of characters of all resolved targets in the row, enough for two architectures in each of 250 sites. The
     * rest is for the specification, the applied orders, and one more order to stop the campaign.
     */
    public static final int MAX_RESOLVED_TARGET_CHARS = 48 * 1024;

    /** The size of the field names and punctuation in JSON. */
    private static final int JSON_OVERHEAD = 58;

    /** The maximum number of applied orders that are kept: more than the waves to approve and the other orders of a campaign. */
    public static final int MAX_APPLIED_ORDERS = 1_024;

    /** An order that was applied, so that it is not applied again. */
    public record AppliedOrder(String order, String id) {}

    /**
     * Approvals of the campaign as a whole; approvals of waves are in the waves' rows.
     *
     * @param editPending whether an edit ended approvals: no machine starts until the new content is approved
     * @param approvedOverlapUid the uid of the earlier campaign with which it may overlap; null for none
     * @param overlapApprovedSeq the seq of the decision that approved that overlap
     * @param endedBeforeSeq the seq of the last edit that ended approvals: overlaps with this campaign that were approved earlier no
     *     longer count
     */
    public record CampaignApprovals(
            boolean editPending, @Nullable Long approvedOverlapUid, long overlapApprovedSeq, long endedBeforeSeq) {
        public static final CampaignApprovals NONE = new CampaignApprovals(false, null, 0, 0);

        /** Returns a copy after the edited content was approved. */
        public CampaignApprovals withoutPendingEdit() {
            return new CampaignApprovals(false, approvedOverlapUid, overlapApprovedSeq, endedBeforeSeq);
        }

        /** Returns a copy after a decision approved the overlap with an earlier campaign. */
        public CampaignApprovals withOverlap(long uid, long seq) {
            return new CampaignApprovals(editPending, uid, seq, endedBeforeSeq);
        }

        /** Returns a copy without an approved overlap. */
        public CampaignApprovals withoutOverlap() {
            return new CampaignApprovals(editPending, null, 0, endedBeforeSeq);
        }

        /** Returns a copy after an edit that ends approvals. */
        public CampaignApprovals withPendingEdit(boolean pending, long seq) {
            return new CampaignApprovals(pending, null, 0, seq);
        }
    }

    /** A status without approvals. */
    public CampaignStatus(
            CampaignName name,
            long uid,
            Campaign accepted,
            CampaignState state,
            @Nullable String pauseReason,
            Instant since,
            List<ResolvedTarget> learned,
            long retriedBelow,
            List<AppliedOrder> appliedOrders) {
        this(
                name,
                uid,
                accepted,
                state,
                pauseReason,
                since,
                learned,
                retriedBelow,
                appliedOrders,
                CampaignApprovals.NONE,
                0);
    }

    /** Returns a copy in another state. */
    public CampaignStatus withState(CampaignState next, @Nullable String reason, Instant from) {
        return new CampaignStatus(
                name,
                uid,
                acceptedCampaign,
                next,
                reason,
                from,
                resolvedTargets,
                retriedBeforeSeq,
                appliedOrders,
                approvals,
                failuresOfDeletedMachines);
    }

    /** Returns a copy with another accepted specification. */
    public CampaignStatus withAcceptedCampaign(Campaign edit) {
        return with(edit, resolvedTargets, retriedBeforeSeq, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /** Returns a copy with these resolved targets. */
    public CampaignStatus withResolvedTargets(List<ResolvedTarget> now) {
        return with(acceptedCampaign, now, retriedBeforeSeq, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /** Returns a copy that retries machines quarantined before a seq. */
    public CampaignStatus withRetryBefore(long below) {
        return with(acceptedCampaign, resolvedTargets, below, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /**
     * Returns a copy with an order recorded as applied. Approvals of waves that no longer exist are dropped, so that the list never
     * exceeds the waves of a campaign plus its other orders, however often it is edited.
     */
    public CampaignStatus withAppliedOrder(OperatorOrderKey order, String id) {
        Set<String> kept = new LinkedHashSet<>();
        kept.add(new OperatorOrderKey.SetCampaignState(name).toString());
        kept.add(new OperatorOrderKey.RetryQuarantined(name).toString());
        kept.add(new OperatorOrderKey.ApproveOverlap(name).toString());
        for (Wave wave : acceptedCampaign.spec().waves()) {
            kept.add(new OperatorOrderKey.ApproveWave(name, wave.name()).toString());
        }
        List<AppliedOrder> orders = new ArrayList<>(appliedOrders.size() + 1);
        for (AppliedOrder known : appliedOrders) {
            if (kept.contains(known.order()) && !known.order().equals(order.toString())) {
                orders.add(known);
            }
        }
        orders.add(new AppliedOrder(order.toString(), id));
        return with(acceptedCampaign, resolvedTargets, retriedBeforeSeq, orders, approvals, failuresOfDeletedMachines);
    }

    /** Returns a copy with these approvals. */
    public CampaignStatus with(CampaignApprovals now) {
        return with(acceptedCampaign, resolvedTargets, retriedBeforeSeq, appliedOrders, now, failuresOfDeletedMachines);
    }

    /** Returns a copy with this number of failures of deleted machines. */
    public CampaignStatus withFailuresOfDeletedMachines(int machines) {
        return with(acceptedCampaign, resolvedTargets, retriedBeforeSeq, appliedOrders, approvals, machines);
    }

    /** Whether the overlap with an earlier campaign is approved and that campaign was not edited since. */
    public boolean mayOverlap(CampaignStatus earlier) {
        Long beside = approvals.approvedOverlapUid();
        return beside != null
                && beside == earlier.uid()
                && approvals.overlapApprovedSeq() >= earlier.approvals.endedBeforeSeq();
    }

    private CampaignStatus with(
            Campaign spec,
            List<ResolvedTarget> lessons,
            long below,
            List<AppliedOrder> orders,
            CampaignApprovals approved,
            int failedAndGone) {
        return new CampaignStatus(
                name, uid, spec, state, pauseReason, stateSince, lessons, below, orders, approved, failedAndGone);
    }

    public CampaignStatus {
        resolvedTargets = List.copyOf(resolvedTargets);
        appliedOrders = List.copyOf(appliedOrders);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, name);
    }
}
