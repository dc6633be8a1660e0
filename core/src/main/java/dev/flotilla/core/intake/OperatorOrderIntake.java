package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Topic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Accepts orders of operators. A freeze holds until an order lifts it. Pause and abort hold whatever their ids. Every
 * other order is applied once, by its id.
 */
final class OperatorOrderIntake {
    private OperatorOrderIntake() {}

    static Decision acceptOrder(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order) {
        if (!isVerbAllowed(order)) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "verb",
                    order.verb().label(),
                    "an order under " + order.key() + " cannot have the verb "
                            + order.verb().label());
        }
        if (order.isOnWrongTable()) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.WRONG_TOPIC,
                    "order",
                    order.key().toString(),
                    describeMisplaced(order));
        }
        if (order.claimsToBeAuditor()) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.CONTRADICTION,
                    "requestedBy",
                    order.requestedBy(),
                    "only topic " + Topic.of(Table.AUDITOR_ORDERS)
                            + " accepts orders of the auditor, and only freezes of the fleet: "
                            + "the order " + order.verb().label() + " under " + order.key() + " on topic "
                            + Topic.of(order.table()) + " must have another author");
        }
        return switch (order.key()) {
            case OperatorOrderKey.CampaignOrder key -> applyCampaignOrder(draft, recordReceived, order, key);
            case OperatorOrderKey.FreezeFleet key -> recordOrder(draft, order);
            case OperatorOrderKey.FreezeSite key -> recordOrder(draft, order);
            case OperatorOrderKey.AcceptMassRemoval key -> acceptRemoval(draft, recordReceived, order, key.site());
            case OperatorOrderKey.WriteOffSite key -> writeOff(draft, recordReceived, order, key.site());
            case OperatorOrderKey.AdoptSiteTopics key -> adopt(draft, recordReceived, order, key.site());
            // The leader has already read the topics because of this order; here it is recorded with author and reason.
            case OperatorOrderKey.AdoptFleetTopics key -> recordOrder(draft, order);
        };
    }

    /**
     * Handles a deleted order. A tombstone has no author and no reason: it lifts no freeze, and opens nothing that an
     * unreadable order has closed. The effects of any other order stay.
     */
    static Decision removeOrder(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            Tombstone tombstone,
            OperatorOrderKey key) {
        if (closesWhenUnreadable(key) && draft.state().isUnreadable(tombstone.rowKey())) {
            return InputRejection.keepUnreadable(
                    draft,
                    recordReceived,
                    "a tombstone does not replace an unreadable order: write an order under " + key
                            + ", with author and reason");
        }
        OperatorOrder known = draft.state().orders().get(tombstone.rowKey());
        if (known == null) {
            return Decision.NOTHING;
        }
        return known.isFreeze()
                ? InputRejection.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "",
                        "",
                        "a tombstone does not lift a freeze: write an unfreeze order, with author and reason",
                        known)
                : withdrawOrder(draft, tombstone, known);
    }

    private static Decision withdrawOrder(DecisionBuilder draft, Tombstone tombstone, OperatorOrder known) {
        draft.write(tombstone);
        if (!known.isOnWrongTable()) {
            ApprovalIntake.withdrawApproval(draft, known);
        }
        return draft.build(DecisionEvent.ORDER_APPLIED, known.key(), "removed");
    }

    private static String describeMisplaced(OperatorOrder order) {
        return "an order under " + order.key() + " belongs on topic "
                + Topic.of(order.key().table()) + ", not on "
                + Topic.of(order.table()) + ": write it there"
                + (order.isFreeze()
                        ? ". Nothing starts until an unfreeze order on that topic lifts " + order.id()
                        : "");
    }

    /** Whether an unreadable order of this key closes its scope. */
    private static boolean closesWhenUnreadable(OperatorOrderKey key) {
        return key instanceof OperatorOrderKey.FreezeFleet
                || key instanceof OperatorOrderKey.FreezeSite
                || key instanceof OperatorOrderKey.SetCampaignState;
    }

    private static boolean isVerbAllowed(OperatorOrder order) {
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

    private static Decision applyCampaignOrder(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            OperatorOrderKey.CampaignOrder key) {
        CampaignRollout campaign = draft.state().rollout(key.campaign());
        Long uid = order.campaignUid();
        if (campaign == null || uid == null || uid != campaign.status().uid()) {
            return InputRejection.reject(
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
        boolean isRepeated = switch (key) {
            case OperatorOrderKey.SetCampaignState state -> applied && isRepeatedResume(known, order);
            case OperatorOrderKey.ApproveWave approve -> false;
            case OperatorOrderKey.ApproveOverlap overlap -> false;
            case OperatorOrderKey.SkipMachine skip -> applied;
            case OperatorOrderKey.RetryQuarantined retry -> applied;
        };
        if (isRepeated) {
            return ignoreOrRejectRepeated(draft, recordReceived, order);
        }
        boolean isInForce = order.equals(known)
                && (key instanceof OperatorOrderKey.SetCampaignState
                        ? applied
                        : ApprovalIntake.isInForce(draft.state(), order, campaign));
        return isInForce
                ? Decision.NOTHING
                : CampaignOrderIntake.applyOrder(draft, recordReceived, order, key, campaign);
    }

    /**
     * Whether a run order was already used: the same order written again does not resume a campaign that was paused
     * since.
     */
    private static boolean isRepeatedResume(@Nullable OperatorOrder known, OperatorOrder order) {
        boolean stopped = known != null
                && known.verb() != OrderVerb.RUN
                && Objects.equals(known.campaignUid(), order.campaignUid());
        return order.verb() == OrderVerb.RUN && !stopped;
    }

    /**
     * Whether an order was applied. The campaign's row does not list skips, because there may be as many as machines:
     * their own rows tell, and a skip that was deleted and written again finds its machine skipped.
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

    /**
     * The same order written again changes nothing; another order with its id is rejected, because it would do nothing.
     */
    private static Decision ignoreOrRejectRepeated(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order) {
        RejectedRecord rejected = draft.state().rejected(recordReceived.rejectedRecordKey());
        boolean same =
                order.equals(draft.state().orders().get(order.key())) && (rejected == null || !rejected.readable());
        return same
                ? Decision.NOTHING
                : InputRejection.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "id",
                        order.id(),
                        "an order under " + order.key() + " with the id " + order.id()
                                + " was already applied: use a new id");
    }

    private static Decision recordOrder(DecisionBuilder draft, OperatorOrder order) {
        return order.equals(draft.state().orders().get(order.rowKey()))
                ? Decision.NOTHING
                : draft.write(order).build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    /**
     * Accepts a removal in the site's status row, which must exist and be known. A site that no leader has read may
     * have no topics, and of a suspended one this leader may know only the head row. Whether it knows more does not
     * count, because the journal does not show that.
     */
    private static Decision acceptRemoval(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteState site = draft.state().site(id);
        if (site == null || (site.head() == null && site.heartbeat() == null)) {
            return rejectUnknownSite(draft, recordReceived, order, id);
        }
        if (site.isUnreachable()) {
            return rejectOrder(
                    draft,
                    recordReceived,
                    order,
                    RejectionReason.CONTRADICTION,
                    "the topics of site " + id + " cannot be used now: accept the removal with a new id once they can");
        }
        SiteStatus before = siteStatus(draft, id);
        if (order.id().equals(before.acceptedRemoval())) {
            return ignoreOrRejectRepeated(draft, recordReceived, order);
        }
        return draft.write(order)
                .write(before.withAcceptedRemoval(order.id()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    /** Writes the write-off into the head row, where it counts even while the site's topics are unavailable. */
    private static Decision writeOff(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteHead head = siteHead(draft, id);
        if (head == null) {
            return rejectUnknownSite(draft, recordReceived, order, id);
        }
        boolean known =
                head.writeOff() != null && order.id().equals(head.writeOff().orderId());
        if (known || order.id().equals(siteStatus(draft, id).writeOffOrder())) {
            return ignoreOrRejectRepeated(draft, recordReceived, order);
        }
        return draft.write(order)
                .write(head.withWriteOff(draft.seq(), order.id(), draft.at()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    /**
     * Adopts a site's topics: its tables are read again from the topics that exist. If the status table is lost with
     * attempts in flight, these would be forgotten, so the site must be written off first.
     */
    private static Decision adopt(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        SiteHead head = siteHead(draft, id);
        if (head == null) {
            return rejectUnknownSite(draft, recordReceived, order, id);
        }
        if (order.id().equals(head.adoptOrderId())) {
            return ignoreOrRejectRepeated(draft, recordReceived, order);
        }
        if (head.lostTables().isEmpty()) {
            return rejectOrder(
                    draft,
                    recordReceived,
                    order,
                    RejectionReason.CONTRADICTION,
                    "no topic of site " + id + " was created again or lost records: there is nothing to adopt");
        }
        SiteState site = draft.state().site(id);
        int inFlight = site == null ? 0 : site.inFlight();
        if (head.lostTables().contains(Table.STATUS) && inFlight > 0) {
            return rejectOrder(
                    draft,
                    recordReceived,
                    order,
                    RejectionReason.CONTRADICTION,
                    "site " + id + " has " + inFlight
                            + " machines in flight, and their status table is lost: when they are finished or given up, run"
                            + " flotilla site write-off " + id + " first");
        }
        return draft.write(order)
                .write(head.withAdoption(order.id()))
                .build(DecisionEvent.ORDER_APPLIED, order.key(), describe(order));
    }

    private static @Nullable SiteHead siteHead(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        return site == null ? null : site.head();
    }

    private static Decision rejectUnknownSite(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, OperatorOrder order, SiteId id) {
        return rejectOrder(draft, recordReceived, order, RejectionReason.BAD_VALUE, "there is no site " + id);
    }

    private static Decision rejectOrder(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            OperatorOrder order,
            RejectionReason reason,
            String problem) {
        return InputRejection.reject(draft, recordReceived, reason, "order", String.valueOf(order.key()), problem);
    }

    private static SiteStatus siteStatus(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        SiteStatus known = site == null ? null : site.status();
        return known == null ? SiteStatus.of(id).withRules(draft.state().annotationRules(id)) : known;
    }

    static String describe(OperatorOrder order) {
        return order.verb().label() + " by " + order.requestedBy() + ": " + order.reason();
    }
}
