package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the orchestrator made of a campaign.
 *
 * @param uid the seq of its first acceptance after absence
 * @param acceptedCampaign the newest specification that could be read and was taken
 * @param pauseReason why it pauses by itself, or who paused it and why
 * @param resolvedTargets which revision and version the target has proved to mean
 * @param retriedBeforeSeq machines that were quarantined by an earlier decision get another round; zero for none
 * @param appliedOrders the ids of the orders applied last, by kind; of skips the machines' entries say so
 * @param approvals what people have still to approve of, and what they have
 * @param failuresOfDeletedMachines machines that failed and whose name another machine has since: they still use the failure budget
 */
public record CampaignStatus(
        CampaignName name,
        long uid,
        Campaign acceptedCampaign,
        CampaignState state,
        @Nullable String pauseReason,
        Instant since,
        List<ResolvedTarget> resolvedTargets,
        long retriedBeforeSeq,
        List<AppliedOrder> appliedOrders,
        CampaignApprovals approvals,
        int failuresOfDeletedMachines)
        implements TableRow {

    /**
     * What the target means on an architecture in a site: sites may see different stores, and no site's worker speaks for another.
     *
     * @param version the Kubernetes version that the first node there has shown; null where it showed none
     * @param site null in a row of an earlier version, for all sites
     */
    public record ResolvedTarget(
            String architecture,
            String revision,
            @Nullable String version,
            @Nullable SiteId site) {
        public boolean appliesTo(SiteId where) {
            return site == null || site.equals(where);
        }

        /** Whether it is no longer than what nodes show, and plain. */
        public boolean isShort() {
            return isShort(architecture) && isShort(revision) && (version == null || isShort(version));
        }

        /** How many characters it takes in the row. */
        public int chars() {
            return FRAME
                    + architecture.length()
                    + revision.length()
                    + (version == null ? 0 : version.length())
                    + (site == null ? 0 : site.name().length());
        }

        private static boolean isShort(String text) {
            return text.length() <= MAX_LEARNED_TOKEN
                    && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
        }
    }

    /** What is learned can be read of so many sites and architectures. */
    public static final int MAX_LEARNED = 1_024;

    /** A site teaches of so many architectures: all sites share the row. */
    public static final int MAX_LEARNED_OF_A_SITE = 4;

    /** An architecture, revision or version that is longer teaches nothing. */
    public static final int MAX_LEARNED_TOKEN = 32;

    /**
     * What is learned takes so many characters of the row, enough for two architectures in each of 250 sites. The rest is for the
     * specification, the orders that were applied, and one more to stop it.
     */
    public static final int MAX_LEARNED_CHARS = 48 * 1024;

    /** The names of its fields, with what stands between them. */
    private static final int FRAME = 58;

    /** Which orders were applied is kept of so many: more than a campaign has waves to approve, and orders besides. */
    public static final int MAX_APPLIED_ORDERS = 1_024;

    /** An order that was applied, so that it is not applied again. */
    public record AppliedOrder(String order, String id) {}

    /**
     * What people approved of the campaign as a whole; each wave's row says what they approved of it.
     *
     * @param editPending whether an edit has changed what people approve of: nothing starts until somebody approves the new edition
     * @param approvedOverlapUid the uid of the earlier campaign beside which it may run; null for none
     * @param overlapApprovedSeq the decision that let it run beside that one
     * @param endedBeforeSeq the last edit that ended approvals: who was let run beside this campaign by an earlier decision waits again
     */
    public record CampaignApprovals(
            boolean editPending, @Nullable Long approvedOverlapUid, long overlapApprovedSeq, long endedBeforeSeq) {
        public static final CampaignApprovals NONE = new CampaignApprovals(false, null, 0, 0);

        /** The same once somebody has approved the edition that an edit has made. */
        public CampaignApprovals withoutPendingEdit() {
            return new CampaignApprovals(false, approvedOverlapUid, overlapApprovedSeq, endedBeforeSeq);
        }

        /** The same once a decision lets it run beside an earlier campaign. */
        public CampaignApprovals withOverlap(long uid, long seq) {
            return new CampaignApprovals(editPending, uid, seq, endedBeforeSeq);
        }

        /** The same without leave to run beside an earlier campaign. */
        public CampaignApprovals withoutOverlap() {
            return new CampaignApprovals(editPending, null, 0, endedBeforeSeq);
        }

        /** What is left after an edit that ends approvals. */
        public CampaignApprovals withPendingEdit(boolean pending, long seq) {
            return new CampaignApprovals(pending, null, 0, seq);
        }
    }

    /** One of which nobody has approved anything yet. */
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

    /** The same in another run state. */
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

    /** The same with another specification accepted. */
    public CampaignStatus withAcceptedCampaign(Campaign edit) {
        return with(edit, resolvedTargets, retriedBeforeSeq, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /** The same with this learned of the target. */
    public CampaignStatus withResolvedTargets(List<ResolvedTarget> now) {
        return with(acceptedCampaign, now, retriedBeforeSeq, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /** The same with another round for what was quarantined before a number. */
    public CampaignStatus withRetryBefore(long below) {
        return with(acceptedCampaign, resolvedTargets, below, appliedOrders, approvals, failuresOfDeletedMachines);
    }

    /**
     * The same with an order noted as applied. Approvals of waves that are no more are forgotten: so the notes are never more than
     * the waves that a campaign may have and its other orders, however often somebody edits it.
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

    /** The same with these approvals. */
    public CampaignStatus with(CampaignApprovals now) {
        return with(acceptedCampaign, resolvedTargets, retriedBeforeSeq, appliedOrders, now, failuresOfDeletedMachines);
    }

    /** The same with so many failures of machines that are no more. */
    public CampaignStatus withFailuresOfDeletedMachines(int machines) {
        return with(acceptedCampaign, resolvedTargets, retriedBeforeSeq, appliedOrders, approvals, machines);
    }

    /** Whether people let it run beside an earlier campaign, and that one was not edited since. */
    public boolean mayRunBeside(CampaignStatus earlier) {
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
                name, uid, spec, state, pauseReason, since, lessons, below, orders, approved, failedAndGone);
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
