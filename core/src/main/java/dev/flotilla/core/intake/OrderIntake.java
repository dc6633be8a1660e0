package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What operators order. A freeze holds until an order lifts it; pause and abort hold whatever ids they carry; every other order is
 * applied once, by its id.
 */
final class OrderIntake {
    private OrderIntake() {}

    static Decision put(Draft draft, Input.Arrived arrived, Order order) {
        if (!fits(order)) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.CONTRADICTION,
                    "verb",
                    order.verb().label(),
                    "an order under " + order.key() + " cannot be to "
                            + order.verb().label());
        }
        if (order.isMisplaced()) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.WRONG_TOPIC,
                    "order",
                    order.key().toString(),
                    misplaced(order));
        }
        if (order.isInTheAuditorsName()) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.CONTRADICTION,
                    "who",
                    order.who(),
                    "only " + Topic.of(Table.AUDITOR_ORDERS)
                            + " holds the auditor's orders, and nothing but freezes of the fleet: "
                            + "on " + Topic.of(order.table()) + " somebody else orders to "
                            + order.verb().label() + " under " + order.key());
        }
        return switch (order.key()) {
            case OrderKey.OfCampaign key -> campaign(draft, arrived, order, key);
            case OrderKey.FleetFreeze key -> freeze(draft, order);
            case OrderKey.SiteFreeze key -> freeze(draft, order);
            case OrderKey.AcceptRemoval key -> acceptRemoval(draft, arrived, order, key.site());
            case OrderKey.WriteOff key -> writeOff(draft, arrived, order, key.site());
            case OrderKey.AdoptSite key -> adopt(draft, arrived, order, key.site());
            // Whoever leads has read the topics by it already: here it is noted, with who and why.
            case OrderKey.AdoptFleet key -> freeze(draft, order);
        };
    }

    /**
     * A tombstone names nobody and gives no reason: it lifts no freeze, and opens nothing that an unreadable order has closed.
     * What any other order did stays done.
     */
    static Decision remove(Draft draft, Input.Arrived arrived, Gone gone, OrderKey key) {
        if (closesUnread(key) && draft.state().isUnreadable(gone.at())) {
            return Intake.stayUnreadable(
                    draft,
                    arrived,
                    "a tombstone opens nothing that an unreadable order has closed: write an order under " + key
                            + ", with who and why");
        }
        Order known = draft.state().orders().get(gone.at());
        if (known == null) {
            return Decision.NOTHING;
        }
        return known.freezes()
                ? Intake.refuse(
                        draft,
                        arrived,
                        RejectionReason.CONTRADICTION,
                        "",
                        "",
                        "a tombstone lifts no freeze: order to unfreeze, with who and why",
                        known)
                : withdraw(draft, gone, known);
    }

    private static Decision withdraw(Draft draft, Gone gone, Order known) {
        draft.write(gone);
        if (!known.isMisplaced()) {
            ApprovalIntake.withdraw(draft, known);
        }
        return draft.decide(Event.ORDER_APPLIED, known.key(), "removed");
    }

    private static String misplaced(Order order) {
        return "an order under " + order.key() + " belongs on "
                + Topic.of(order.key().table()) + ", not on "
                + Topic.of(order.table()) + ": write it there"
                + (order.freezes()
                        ? ". Until an order to unfreeze there lifts " + order.id() + ", nothing starts"
                        : "");
    }

    /** Whether an order under this key closes something when it cannot be read. */
    private static boolean closesUnread(OrderKey key) {
        return key instanceof OrderKey.FleetFreeze
                || key instanceof OrderKey.SiteFreeze
                || key instanceof OrderKey.State;
    }

    private static boolean fits(Order order) {
        Verb verb = order.verb();
        return switch (order.key()) {
            case OrderKey.State key -> verb == Verb.RUN || verb == Verb.PAUSE || verb == Verb.ABORT;
            case OrderKey.Approve key -> verb == Verb.APPROVE;
            case OrderKey.Overlap key -> verb == Verb.APPROVE;
            case OrderKey.Skip key -> verb == Verb.SKIP;
            case OrderKey.Retry key -> verb == Verb.RETRY;
            case OrderKey.FleetFreeze key -> verb == Verb.FREEZE || verb == Verb.UNFREEZE;
            case OrderKey.SiteFreeze key -> verb == Verb.FREEZE || verb == Verb.UNFREEZE;
            case OrderKey.AcceptRemoval key -> verb == Verb.ACCEPT_REMOVAL;
            case OrderKey.WriteOff key -> verb == Verb.WRITE_OFF;
            case OrderKey.AdoptSite key -> verb == Verb.ADOPT;
            case OrderKey.AdoptFleet key -> verb == Verb.ADOPT;
        };
    }

    private static Decision campaign(Draft draft, Input.Arrived arrived, Order order, OrderKey.OfCampaign key) {
        CampaignRollout campaign = draft.state().rollout(key.campaign());
        Long uid = order.campaignUid();
        if (campaign == null || uid == null || uid != campaign.status().uid()) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.WRONG_CAMPAIGN,
                    "campaignUid",
                    String.valueOf(uid),
                    campaign == null
                            ? "there is no campaign " + key.campaign()
                            : "campaign " + key.campaign() + " has the uid "
                                    + campaign.status().uid());
        }
        Order known = draft.state().orders().get(key);
        boolean applied = isApplied(known, order, campaign);
        boolean again = switch (key) {
            case OrderKey.State state -> applied && resumesAgain(known, order);
            case OrderKey.Approve approve -> false;
            case OrderKey.Overlap overlap -> false;
            case OrderKey.Skip skip -> applied;
            case OrderKey.Retry retry -> applied;
        };
        if (again) {
            return appliedAlready(draft, arrived, order);
        }
        boolean holds = order.equals(known)
                && (key instanceof OrderKey.State ? applied : ApprovalIntake.holds(draft.state(), order, campaign));
        return holds ? Decision.NOTHING : CampaignOrders.apply(draft, arrived, order, key, campaign);
    }

    /** A run order resumes once: what has paused the campaign since is not overruled by the same order written again. */
    private static boolean resumesAgain(@Nullable Order known, Order order) {
        boolean stopped =
                known != null && known.verb() != Verb.RUN && Objects.equals(known.campaignUid(), order.campaignUid());
        return order.verb() == Verb.RUN && !stopped;
    }

    /**
     * Skips are as many as machines, so the campaign's row does not list them: their own rows say what was applied, and one
     * that was removed and comes again finds its machine skipped.
     */
    private static boolean isApplied(@Nullable Order known, Order order, CampaignRollout campaign) {
        if (order.key() instanceof OrderKey.Skip) {
            return known != null
                    && known.id().equals(order.id())
                    && Objects.equals(known.campaignUid(), order.campaignUid());
        }
        return campaign.status().appliedOrders().stream()
                .anyMatch(one ->
                        one.order().equals(order.key().toString()) && one.id().equals(order.id()));
    }

    /** The same order written again changes nothing; another one with its id is refused, for it would do nothing. */
    private static Decision appliedAlready(Draft draft, Input.Arrived arrived, Order order) {
        Rejected refused = draft.state().rejected(Coordinates.of(arrived));
        boolean same =
                order.equals(draft.state().orders().get(order.key())) && (refused == null || !refused.readable());
        return same
                ? Decision.NOTHING
                : Intake.refuse(
                        draft,
                        arrived,
                        RejectionReason.CONTRADICTION,
                        "id",
                        order.id(),
                        "an order under " + order.key() + " with the id " + order.id()
                                + " was applied before: give this one a new id");
    }

    private static Decision freeze(Draft draft, Order order) {
        return order.equals(draft.state().orders().get(order.at()))
                ? Decision.NOTHING
                : draft.write(order).decide(Event.ORDER_APPLIED, order.key(), said(order));
    }

    private static Decision acceptRemoval(Draft draft, Input.Arrived arrived, Order order, SiteId id) {
        SiteStatus before = status(draft, id);
        if (order.id().equals(before.acceptedRemoval())) {
            return appliedAlready(draft, arrived, order);
        }
        return draft.write(order)
                .write(before.withAcceptedRemoval(order.id()))
                .decide(Event.ORDER_APPLIED, order.key(), said(order));
    }

    /** It is said in the head, where it counts also while the site's own topics are away. */
    private static Decision writeOff(Draft draft, Input.Arrived arrived, Order order, SiteId id) {
        SiteHead head = head(draft, id);
        if (head == null) {
            return refuse(draft, arrived, order, RejectionReason.BAD_VALUE, "there is no site " + id);
        }
        boolean known =
                head.writeOff() != null && order.id().equals(head.writeOff().order());
        if (known || order.id().equals(status(draft, id).writeOffOrder())) {
            return appliedAlready(draft, arrived, order);
        }
        return draft.write(order)
                .write(head.writtenOff(draft.seq(), order.id(), draft.at()))
                .decide(Event.ORDER_APPLIED, order.key(), said(order));
    }

    /**
     * The site's tables are read anew, from whatever topics there are. Where the status table is lost with attempts in flight,
     * these would be forgotten: somebody has to write them off first.
     */
    private static Decision adopt(Draft draft, Input.Arrived arrived, Order order, SiteId id) {
        SiteHead head = head(draft, id);
        if (head == null) {
            return refuse(draft, arrived, order, RejectionReason.BAD_VALUE, "there is no site " + id);
        }
        if (order.id().equals(head.adoptOrder())) {
            return appliedAlready(draft, arrived, order);
        }
        if (head.lost().isEmpty()) {
            return refuse(
                    draft,
                    arrived,
                    order,
                    RejectionReason.CONTRADICTION,
                    "no topic of site " + id + " was created again or lost records: there is nothing to adopt");
        }
        Site site = draft.state().site(id);
        int inFlight = site == null ? 0 : site.inFlight();
        if (head.lost().contains(Table.STATUS) && inFlight > 0) {
            return refuse(
                    draft,
                    arrived,
                    order,
                    RejectionReason.CONTRADICTION,
                    inFlight + " machines of site " + id
                            + " are in flight, and the table that says so is lost: order site/" + id
                            + "/write-off first, when they are done or given up");
        }
        return draft.write(order).write(head.adopted(order.id())).decide(Event.ORDER_APPLIED, order.key(), said(order));
    }

    private static @Nullable SiteHead head(Draft draft, SiteId id) {
        Site site = draft.state().site(id);
        return site == null ? null : site.head();
    }

    private static Decision refuse(
            Draft draft, Input.Arrived arrived, Order order, RejectionReason reason, String problem) {
        return Intake.refuse(draft, arrived, reason, "order", String.valueOf(order.key()), problem);
    }

    private static SiteStatus status(Draft draft, SiteId id) {
        Site site = draft.state().site(id);
        SiteStatus known = site == null ? null : site.status();
        return known == null ? SiteStatus.of(id).withLocalPaths(LocalPaths.of(draft, id)) : known;
    }

    static String said(Order order) {
        return order.verb().label() + " by " + order.who() + ": " + order.why();
    }
}
