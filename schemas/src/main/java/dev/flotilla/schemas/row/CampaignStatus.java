package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
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
 * @param accepted the newest specification that could be read and was taken
 * @param pauseReason why it pauses by itself, or who paused it and why
 * @param learned which revision and version the target has proved to mean
 * @param retriedBelow machines that were quarantined by an earlier decision get another round; zero for none
 * @param appliedOrders the ids of the orders applied last, by kind; of skips the machines' entries say so
 * @param approvals what people have still to approve of, and what they have
 * @param failuresOfGone machines that failed and whose name another machine has since: they still use the failure budget
 */
public record CampaignStatus(
        CampaignName name,
        long uid,
        Campaign accepted,
        RunState state,
        @Nullable String pauseReason,
        Instant since,
        List<Learned> learned,
        long retriedBelow,
        List<AppliedOrder> appliedOrders,
        Approvals approvals,
        int failuresOfGone)
        implements Row {

    /**
     * What the target means on an architecture in a site: sites may see different stores, and no site's worker speaks for another.
     *
     * @param version the Kubernetes version that the first node there has shown; null where it showed none
     * @param site null in a row of an earlier version, for all sites
     */
    public record Learned(
            String architecture,
            String revision,
            @Nullable String version,
            @Nullable SiteId site) {
        public boolean isOf(SiteId where) {
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
     * @param overlapOf the uid of the earlier campaign beside which it may run; null for none
     * @param overlapSeq the decision that let it run beside that one
     * @param endedBelow the last edit that ended approvals: who was let run beside this campaign by an earlier decision waits again
     */
    public record Approvals(boolean editPending, @Nullable Long overlapOf, long overlapSeq, long endedBelow) {
        public static final Approvals NONE = new Approvals(false, null, 0, 0);

        /** The same once somebody has approved the edition that an edit has made. */
        public Approvals ofThisEdition() {
            return new Approvals(false, overlapOf, overlapSeq, endedBelow);
        }

        /** The same once a decision lets it run beside an earlier campaign. */
        public Approvals beside(long uid, long seq) {
            return new Approvals(editPending, uid, seq, endedBelow);
        }

        /** The same without leave to run beside an earlier campaign. */
        public Approvals besideNone() {
            return new Approvals(editPending, null, 0, endedBelow);
        }

        /** What is left after an edit that ends approvals. */
        public Approvals edited(boolean pending, long seq) {
            return new Approvals(pending, null, 0, seq);
        }
    }

    /** One of which nobody has approved anything yet. */
    public CampaignStatus(
            CampaignName name,
            long uid,
            Campaign accepted,
            RunState state,
            @Nullable String pauseReason,
            Instant since,
            List<Learned> learned,
            long retriedBelow,
            List<AppliedOrder> appliedOrders) {
        this(name, uid, accepted, state, pauseReason, since, learned, retriedBelow, appliedOrders, Approvals.NONE, 0);
    }

    /** The same in another run state. */
    public CampaignStatus in(RunState next, @Nullable String reason, Instant from) {
        return new CampaignStatus(
                name,
                uid,
                accepted,
                next,
                reason,
                from,
                learned,
                retriedBelow,
                appliedOrders,
                approvals,
                failuresOfGone);
    }

    /** The same with another specification accepted. */
    public CampaignStatus accepting(Campaign edit) {
        return with(edit, learned, retriedBelow, appliedOrders, approvals, failuresOfGone);
    }

    /** The same with this learned of the target. */
    public CampaignStatus knowing(List<Learned> now) {
        return with(accepted, now, retriedBelow, appliedOrders, approvals, failuresOfGone);
    }

    /** The same with another round for what was quarantined before a number. */
    public CampaignStatus retried(long below) {
        return with(accepted, learned, below, appliedOrders, approvals, failuresOfGone);
    }

    /**
     * The same with an order noted as applied. Approvals of waves that are no more are forgotten: so the notes are never more than
     * the waves that a campaign may have and its other orders, however often somebody edits it.
     */
    public CampaignStatus applied(OrderKey order, String id) {
        Set<String> kept = new LinkedHashSet<>();
        kept.add(new OrderKey.State(name).toString());
        kept.add(new OrderKey.Retry(name).toString());
        kept.add(new OrderKey.Overlap(name).toString());
        for (Wave wave : accepted.spec().waves()) {
            kept.add(new OrderKey.Approve(name, wave.name()).toString());
        }
        List<AppliedOrder> orders = new ArrayList<>(appliedOrders.size() + 1);
        for (AppliedOrder known : appliedOrders) {
            if (kept.contains(known.order()) && !known.order().equals(order.toString())) {
                orders.add(known);
            }
        }
        orders.add(new AppliedOrder(order.toString(), id));
        return with(accepted, learned, retriedBelow, orders, approvals, failuresOfGone);
    }

    /** The same with these approvals. */
    public CampaignStatus with(Approvals now) {
        return with(accepted, learned, retriedBelow, appliedOrders, now, failuresOfGone);
    }

    /** The same with so many failures of machines that are no more. */
    public CampaignStatus withFailuresOfGone(int machines) {
        return with(accepted, learned, retriedBelow, appliedOrders, approvals, machines);
    }

    /** Whether people let it run beside an earlier campaign, and that one was not edited since. */
    public boolean mayRunBeside(CampaignStatus earlier) {
        Long beside = approvals.overlapOf();
        return beside != null && beside == earlier.uid() && approvals.overlapSeq() >= earlier.approvals.endedBelow();
    }

    private CampaignStatus with(
            Campaign spec,
            List<Learned> lessons,
            long below,
            List<AppliedOrder> orders,
            Approvals approved,
            int failedAndGone) {
        return new CampaignStatus(
                name, uid, spec, state, pauseReason, since, lessons, below, orders, approved, failedAndGone);
    }

    public CampaignStatus {
        learned = List.copyOf(learned);
        appliedOrders = List.copyOf(appliedOrders);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, name);
    }
}
