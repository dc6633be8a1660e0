package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.edition.Edition;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.log.CommittedRows;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where operators write: the newest policies and campaigns as they meant them, and orders with their ids. */
public final class Desk {
    private static final String WHO = "operator";

    private final SimLog log;
    private final Story story;
    private final CommittedRows committed;
    private final Map<Scope, Policy> policies = new LinkedHashMap<>();
    private final Map<CampaignName, Campaign> campaigns = new LinkedHashMap<>();
    private final Map<RowKey, Order> orders = new LinkedHashMap<>();
    private final Set<RowKey> spoiled = new LinkedHashSet<>();
    private int nextOrder = 1;
    private boolean brimming;

    public Desk(SimLog log, Story story, CommittedRows committed) {
        this.log = log;
        this.story = story;
        this.committed = committed;
    }

    public CommittedRows committed() {
        return committed;
    }

    public Map<Scope, Policy> policies() {
        return policies;
    }

    public Map<CampaignName, Campaign> campaigns() {
        return campaigns;
    }

    /** From now on policies and campaigns are as large as may be. */
    public void fillToTheBrim() {
        brimming = true;
    }

    public void write(Policy policy) {
        policies.put(policy.scope(), policy);
        story.tell(
                WHO,
                () -> "writes policy " + policy.scope() + ": cap " + policy.inFlight() + ", per site "
                        + policy.siteInFlight() + (policy.frozen() ? ", frozen" : ""));
        append(policy);
    }

    public void write(Campaign campaign) {
        campaigns.put(campaign.name(), campaign);
        story.tell(
                WHO,
                () -> "writes campaign " + campaign.name() + " to "
                        + campaign.spec().target());
        append(campaign);
    }

    private void append(Policy policy) {
        log.append(Place.of(Table.POLICIES), brimming ? ToTheBrim.policy(policy) : policy);
    }

    private void append(Campaign campaign) {
        log.append(Place.of(Table.CAMPAIGNS), brimming ? ToTheBrim.campaign(campaign) : campaign);
    }

    public void remove(CampaignName name) {
        campaigns.remove(name);
        story.tell(WHO, () -> "removes campaign " + name);
        log.append(Place.of(Table.CAMPAIGNS), new Gone(new RowKey(Table.CAMPAIGNS, name)));
    }

    /** Somebody's tool writes what nobody can read. */
    public void spoil(Place place, RowKey key) {
        story.tell(WHO, () -> "something unreadable is written to " + key);
        log.appendUnreadable(place, key);
        if (!key.table().ofSite()) {
            spoiled.add(key);
        }
    }

    /** Writes everything once more as it was meant. */
    public void rewrite() {
        policies.values().forEach(this::append);
        campaigns.values().forEach(this::append);
        orders.values().forEach(order -> log.append(Place.of(order.table()), order));
        clearSpoiled();
    }

    /** Says of what cannot be read and was never meant that it was not, as far as that can be said by now. */
    void clearSpoiled() {
        spoiled.removeIf(key -> !isMeant(key) && clear(key));
    }

    private boolean isMeant(RowKey key) {
        return orders.containsKey(key)
                || (key.key() instanceof Scope scope && policies.containsKey(scope))
                || (key.key() instanceof CampaignName name && campaigns.containsKey(name));
    }

    /** Nothing was ever meant to stand there. Returns whether it could be said so. */
    private boolean clear(RowKey key) {
        return switch (key.key()) {
            case OrderKey.FleetFreeze freeze -> liftsNothing(freeze, key.table());
            case OrderKey.SiteFreeze freeze -> liftsNothing(freeze, key.table());
            case OrderKey.State state -> goesOn(state);
            case SiteId site -> {
                write(new Policy(site, null, null, false, null, null, null, null));
                yield true;
            }
            case Fleet fleet -> false;
            default -> {
                tombstone(key);
                yield true;
            }
        };
    }

    /**
     * Said on the topic whose record cannot be read, also where it belongs on another and is refused: it can be read. On the
     * auditor's nothing but a freeze can be, which is lifted then.
     */
    private boolean liftsNothing(OrderKey freeze, Table table) {
        if (table == Table.AUDITOR_ORDERS) {
            auditorFreezes();
            unfreeze(freeze);
        } else {
            write(new Order(freeze, "order-" + nextOrder++, WHO, "no freeze was meant", null, Order.Verb.UNFREEZE)
                    .on(table));
        }
        return true;
    }

    /** Where the campaign is not known yet, somebody will see to it later. */
    private boolean goesOn(OrderKey.State key) {
        CampaignStatus status = status(key.campaign());
        if (status != null && !status.state().over()) {
            order(key, Order.Verb.RUN, "no pause was meant", status.uid());
        }
        return status != null;
    }

    /** Takes out of its topic what cannot be read, as if that were enough. */
    void tombstone(RowKey key) {
        log.append(Place.of(key.table()), new Gone(key));
    }

    /** What is known of a campaign, if the orchestrator has accepted it. */
    public @Nullable CampaignStatus status(CampaignName name) {
        return committed.get(new RowKey(Table.CAMPAIGN_STATUS, name)) instanceof CampaignStatus status ? status : null;
    }

    /** An order about a campaign: under its uid where it is known. */
    public void order(CampaignName campaign, OrderKey key, Order.Verb verb, String why) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            order(key, verb, why, status.uid());
        }
    }

    public void order(OrderKey key, Order.Verb verb, String why) {
        order(key, verb, why, null);
    }

    /** An order about a campaign under the id of the order that stood there before, as who has one ticket for all of it. */
    void orderAgain(CampaignName campaign, OrderKey key, Order.Verb verb, String why) {
        CampaignStatus status = status(campaign);
        Order before = orders.get(new RowKey(key.table(), key));
        if (status != null) {
            write(new Order(key, before == null ? "ticket" : before.id(), WHO, why, status.uid(), verb));
        }
    }

    /** An order about an earlier campaign of the name, which nobody has a use for any more. */
    void orderAnEarlier(CampaignName campaign, OrderKey key, Order.Verb verb, String why) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            write(new Order(key, "order-" + nextOrder++, WHO, why, status.uid() - 1, verb));
            orders.remove(new RowKey(key.table(), key));
        }
    }

    /** An approval or a freeze is written to the table where earlier versions took it. */
    void misplace(OrderKey key, Order.Verb verb, String why) {
        Order order = make(key, verb, why);
        if (order != null) {
            write(order.on(Table.ORDERS));
        }
    }

    /** The auditor finds something, right or wrong, and freezes the fleet. */
    void auditorFreezes() {
        write(new Order(
                        new OrderKey.FleetFreeze(),
                        "auditor-" + nextOrder++,
                        Order.AUDITOR,
                        "it looks wrong",
                        null,
                        Order.Verb.FREEZE)
                .on(Table.AUDITOR_ORDERS));
    }

    /** The auditor, or who has its name, lifts a freeze where people do, which it has no right to. */
    void auditorUnfreezes(OrderKey key) {
        Order standing = orders.get(new RowKey(key.table(), key));
        write(new Order(key, "auditor-" + nextOrder++, Order.AUDITOR, "it looks well", null, Order.Verb.UNFREEZE)
                .lifting(standing == null ? List.of() : List.of(standing.id())));
    }

    /** Takes an order out of the topic. A freeze is none the less lifted by an order only. */
    void withdraw(RowKey at) {
        if (!(at.key() instanceof OrderKey.FleetFreeze) && !(at.key() instanceof OrderKey.SiteFreeze)) {
            orders.remove(at);
        }
        story.tell(WHO, () -> "takes the order " + at.key() + " out of the topic");
        log.append(Place.of(at.table()), new Gone(at));
    }

    /** The places where orders stand. */
    List<RowKey> orders() {
        return List.copyOf(orders.keySet());
    }

    private void order(OrderKey key, Order.Verb verb, String why, @Nullable Long uid) {
        Order order = make(key, verb, why, uid);
        if (order != null) {
            write(order);
        }
    }

    private @Nullable Order make(OrderKey key, Order.Verb verb, String why) {
        if (!(key instanceof OrderKey.OfCampaign of)) {
            return make(key, verb, why, null);
        }
        CampaignStatus status = status(of.campaign());
        return status == null ? null : make(key, verb, why, status.uid());
    }

    /** Null where there is nothing to approve. */
    private @Nullable Order make(OrderKey key, Order.Verb verb, String why, @Nullable Long uid) {
        CampaignStatus status = key instanceof OrderKey.OfCampaign of ? status(of.campaign()) : null;
        String edition = status != null && key instanceof OrderKey.Approve ? Edition.of(status.accepted()) : null;
        CampaignStatus other = status != null && key instanceof OrderKey.Overlap ? earlier(status) : null;
        return other == null && key instanceof OrderKey.Overlap
                ? null
                : new Order(
                        key, "order-" + nextOrder++, WHO, why, uid, edition, other == null ? null : other.uid(), verb);
    }

    /** The first campaign that came before one, wants another target and is not over: the one that it may overlap with. */
    @Nullable
    CampaignStatus earlier(CampaignStatus later) {
        CampaignStatus first = null;
        for (CampaignStatus other : committed.all(CampaignStatus.class)) {
            boolean unequal = !other.accepted()
                    .spec()
                    .target()
                    .equals(later.accepted().spec().target());
            if (other.uid() < later.uid()
                    && unequal
                    && !other.state().over()
                    && (first == null || other.uid() < first.uid())) {
                first = other;
            }
        }
        return first;
    }

    private void write(Order order) {
        OrderKey key = order.key();
        Order.Verb verb = order.verb();
        String why = order.why();
        orders.put(order.at(), order);
        String where =
                order.table() == key.table() ? "" : " on " + order.table().label();
        story.tell(WHO, () -> "orders " + verb.label() + " (" + key + where + "): " + why);
        log.append(Place.of(order.table()), order);
    }

    /** Lifts every freeze, of policies and of orders. */
    public void unfreeze(Iterable<SiteId> sites) {
        for (Policy policy : policies.values().toArray(new Policy[0])) {
            if (policy.frozen()) {
                write(Policies.frozen(policy, false));
            }
        }
        unfreeze(new OrderKey.FleetFreeze());
        for (SiteId site : sites) {
            unfreeze(new OrderKey.SiteFreeze(site));
        }
    }

    /** Lifts a freeze, and by their ids those of the same key on other tables. */
    private void unfreeze(OrderKey key) {
        Order own = orders.get(new RowKey(key.table(), key));
        List<String> lifts = new ArrayList<>();
        for (Table table : List.of(Table.AUDITOR_ORDERS, Table.ORDERS)) {
            Order other = orders.get(new RowKey(table, key));
            if (other != null && other.verb() == Order.Verb.FREEZE) {
                lifts.add(other.id());
            }
        }
        boolean frozen = own != null && own.freezes();
        if (frozen || !(own == null ? List.of() : own.lifts()).containsAll(lifts)) {
            write(new Order(key, "order-" + nextOrder++, WHO, "all well again", null, Order.Verb.UNFREEZE)
                    .lifting(lifts));
        }
    }

    /** The fleet's policy as it was meant last. */
    public @Nullable Policy fleetPolicy() {
        return policies.get(Fleet.FLEET);
    }
}
