package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What operators order. A freeze holds until an order lifts it; pause and abort hold whatever ids they carry; every other order is
 * applied once, by its id.
 */
final class OperatorOrderIntake {
    private OperatorOrderIntake() {}

    static Decision put(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order) {
        if (!fits(order)) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "verb",
                    order.verb().label(),
                    "an order under " + order.key() + " cannot be to "
                            + order.verb().label());
        }
        if (order.isOnWrongTable()) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.WRONG_TOPIC,
                    "order",
                    order.key().toString(),
                    misplaced(order));
        }
        if (order.claimsToBeAuditor()) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "who",
                    order.requestedBy(),
                    "only " + Topic.of(Table.AUDITOR_ORDERS)
                            + " holds the auditor's orders, and nothing but freezes of the fleet: "
                            + "on " + Topic.of(order.table()) + " somebody else orders to "
                            + order.verb().label() + " under " + order.key());
        }
        return switch (order.key()) {
            case OperatorOrderKey.CampaignOrder key -> campaign(draft, recordReceived, order, key);
            case OperatorOrderKey.FreezeFleet key -> freeze(draft, order);
            case OperatorOrderKey.FreezeSite key -> freeze(draft, order);
            case OperatorOrderKey.AcceptMassRemoval key -> acceptRemoval(draft, recordReceived, order, key.site());
            case OperatorOrderKey.WriteOffSite key -> writeOff(draft, recordReceived, order, key.site());
            case OperatorOrderKey.AdoptSiteTopics key -> adopt(draft, recordReceived, order, key.site());
            // Whoever leads has read the topics by it already: here it is noted, with who and why.
            case OperatorOrderKey.AdoptFleetTopics key -> freeze(draft, order);
        };
    }

    /**
     * A tombstone names nobody and gives no reason: it lifts no freeze, and opens nothing that an unreadable order has closed.
     * What any other order did stays done.
     */
    static Decision remove(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            Tombstone tombstone,
            OperatorOrderKey key) {
        if (closesUnread(key) && draft.state().isUnreadable(tombstone.rowKey())) {
            return InputRowIntake.keepUnreadable(
                    draft,
                    recordReceived,
                    "a tombstone opens nothing that an unreadable order has closed: write an order under " + key
                            + ", with who and why");
        }
        OperatorOrder known = draft.state().orders().get(tombstone.rowKey());
        if (known == null) {
            return Decision.NOTHING;
        }
        return known.isFreeze()
                ? InputRowIntake.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "",
                        "",
                        "a tombstone lifts no freeze: order to unfreeze, with who and why",
                        known)
                : withdraw(draft, tombstone, known);
    }

    private static Decision withdraw(DecisionBuilder draft, Tombstone tombstone, OperatorOrder known) {
        draft.write(tombstone);
        if (!known.isOnWrongTable()) {
            ApprovalIntake.withdraw(draft, known);
        }
        return draft.build(DecisionEvent.ORDER_APPLIED, known.key(), "removed");
    }

    private static String misplaced(OperatorOrder order) {
        return "an order under " + order.key() + " belongs on "
                + Topic.of(order.key().table()) + ", not on "
                + Topic.of(order.table()) + ": write it there"
                + (order.isFreeze()
                        ? ". Until an order to unfreeze there lifts " + order.id() + ", nothing starts"
                        : "");
    }

    /** Whether an order under this key closes something when it cannot be read. */
    private static boolean closesUnread(OperatorOrderKey key) {
        return key instanceof OperatorOrderKey.FreezeFleet
                || key instanceof OperatorOrderKey.FreezeSite
                || key instanceof OperatorOrderKey.SetCampaignState;
    }

    private static boolean fits(OperatorOrder order) {
        OrderVerb verb = order.verb();
        return switch (order.key()) {
            case OperatorOrderKey.SetCampaignState key ->
                verb == OrderVerb.RUN || verb == OrderVerb.PAUSE || verb == OrderVerb.ABORT;
            case OperatorOrderKey.ApproveWave key -> verb == OrderVerb.APPROVE;
            case OperatorOrderKey.ApproveOverlap key -> verb == OrderVerb.APPROVE;
            case OperatorOrderKey.SkipMachine key -> verb == OrderVerb.SKIP;
            case OperatorOrderKey.RetryQuarantined key -> verb == OrderVerb.RETRY;
            case OperatorOrderKey.FreezeFleet key -> verb == OrderVerb.FREEZE || verb == OrderVerb.UNFREEZE;
            case OperatorOrderKey.FreezeSite key -> verb == OrderVerb.FREEZE || verb == OrderVerb.UNFREEZE;
            case OperatorOrderKey.AcceptMassRemoval key -> verb == OrderVerb.ACCEPT_REMOVAL;
            case OperatorOrderKey.WriteOffSite key -> verb == OrderVerb.WRITE_OFF;
            case OperatorOrderKey.AdoptSiteTopics key -> verb == OrderVerb.ADOPT;
            case OperatorOrderKey.AdoptFleetTopics key -> verb == OrderVerb.ADOPT;
        };
    }

    private static Decision campaign(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.CampaignOrder key) {
        CampaignRollout campaign = draft.state().rollout(key.campaign());
        Long uid = order.campaignUid();
        if (campaign == null || uid == null || uid != campaign.status().uid()) {
            return InputRowIntake.reject(
                    draft,
                    recordReceived,
                    RejectionReason.WRONG_CAMPAIGN,
                    "campaignUid",
                    String.valueOf(uid),
                    campaign == null
                            ? "there is no campaign " + key.campaign()
                            : "campaign " + key.campaign() + " has the uid "
                                    + campaign.status().uid());
        }
        OperatorOrder known = draft.state().orders().get(key);
        boolean applied = isApplied(known, order, campaign);
        boolean again = switch (key) {
            case OperatorOrderKey.SetCampaignState state -> applied && resumesAgain(known, order);
            case OperatorOrderKey.ApproveWave approve -> false;
            case OperatorOrderKey.ApproveOverlap overlap -> false;
            case OperatorOrderKey.SkipMachine skip -> applied;
            case OperatorOrderKey.RetryQuarantined retry -> applied;
        };
        if (again) {
            return appliedAlready(draft, recordReceived, order);
        }
        boolean holds = order.equals(known)
                && (key instanceof OperatorOrderKey.SetCampaignState
                        ? applied
                        : ApprovalIntake.holds(draft.state(), order, campaign));
        return holds ? Decision.NOTHING : CampaignOrderIntake.apply(draft, recordReceived, order, key, campaign);
    }

    /** A run order resumes once: what has paused the campaign since is not overruled by the same order written again. */
    private static boolean resumesAgain(@Nullable OperatorOrder known, OperatorOrder order) {
        boolean stopped = known != null
                && known.verb() != OrderVerb.RUN
                && Objects.equals(known.campaignUid(), order.campaignUid());
        return order.verb() == OrderVerb.RUN && !stopped;
    }

    /**
     * Skips are as many as machines, so the campaign's row does not list them: their own rows say what was applied, and one
     * that was removed and comes again finds its machine skipped.
     */
    private static boolean isApplied(@Nullable OperatorOrder known, OperatorOrder order, CampaignRollout campaign) {
        if (order.key() instanceof OperatorOrderKey.SkipMachine) {
            return known != null
                    && known.id().equals(order.id())
                    && Objects.equals(known.campaignUid(), order.campaignUid());
        }
        return campaign.status().appliedOrders().stream()
                .anyMatch(one ->
                        one.order().equals(order.key().toString()) && one.id().equals(order.id()));
    }

    /** The same order written again changes nothing; another one with its id is refused, for it would do nothing. */
    private static Decision appliedAlready(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order) {
        RejectedRecord refused = draft.state().rejected(RejectedRecordLocation.locate(recordReceived));
        boolean same =
                order.equals(draft.state().orders().get(order.key())) && (refused == null || !refused.readable());
        return same
                ? Decision.NOTHING
                : InputRowIntake.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "id",
                        order.id(),
                        "an order under " + order.key() + " with the id " + order.id()
                                + " was applied before: give this one a new id");
    }

    private static Decision freeze(DecisionBuilder draft, OperatorOrder order) {
        return order.equals(draft.state().orders().get(order.rowKey()))
                ? Decision.NOTHING
                : draft.write(order).build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    private static Decision acceptRemoval(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteStatus before = status(draft, id);
        if (order.id().equals(before.acceptedRemoval())) {
            return appliedAlready(draft, recordReceived, order);
        }
        return draft.write(order)
                .write(before.withAcceptedRemoval(order.id()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    /** It is said in the head, where it counts also while the site's own topics are away. */
    private static Decision writeOff(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteHead head = head(draft, id);
        if (head == null) {
            return refuse(draft, recordReceived, order, RejectionReason.BAD_VALUE, "there is no site " + id);
        }
        boolean known =
                head.writeOff() != null && order.id().equals(head.writeOff().orderId());
        if (known || order.id().equals(status(draft, id).writeOffOrder())) {
            return appliedAlready(draft, recordReceived, order);
        }
        return draft.write(order)
                .write(head.withWriteOff(draft.seq(), order.id(), draft.at()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    /**
     * The site's tables are read anew, from whatever topics there are. Where the status table is lost with attempts in flight,
     * these would be forgotten: somebody has to write them off first.
     */
    private static Decision adopt(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteHead head = head(draft, id);
        if (head == null) {
            return refuse(draft, recordReceived, order, RejectionReason.BAD_VALUE, "there is no site " + id);
        }
        if (order.id().equals(head.adoptOrderId())) {
            return appliedAlready(draft, recordReceived, order);
        }
        if (head.lostTables().isEmpty()) {
            return refuse(
                    draft,
                    recordReceived,
                    order,
                    RejectionReason.CONTRADICTION,
                    "no topic of site " + id + " was created again or lost records: there is nothing to adopt");
        }
        SiteState site = draft.state().site(id);
        int inFlight = site == null ? 0 : site.inFlight();
        if (head.lostTables().contains(Table.STATUS) && inFlight > 0) {
            return refuse(
                    draft,
                    recordReceived,
                    order,
                    RejectionReason.CONTRADICTION,
                    inFlight + " machines of site " + id
                            + " are in flight, and the table that says so is lost: order site/" + id
                            + "/write-off first, when they are done or given up");
        }
        return draft.write(order)
                .write(head.withAdoption(order.id()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    private static @Nullable SiteHead head(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        return site == null ? null : site.head();
    }

    private static Decision refuse(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            RejectionReason reason,
            String problem) {
        return InputRowIntake.reject(draft, recordReceived, reason, "order", String.valueOf(order.key()), problem);
    }

    private static SiteStatus status(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        SiteStatus known = site == null ? null : site.status();
        return known == null ? SiteStatus.of(id).withLocalPaths(AllowedLocalPaths.allowedPaths(draft, id)) : known;
    }

    static String describe(OperatorOrder order) {
        return order.verb().label() + " by " + order.requestedBy() + ": " + order.reason();
    }
}
