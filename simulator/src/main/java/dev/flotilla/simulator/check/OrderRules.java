package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.core.term.Batch;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.SimLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether orders are obeyed: by the records as they came in, read from the log up to where the orchestrator says that it has
 * decided. What it says of a campaign's state is compared with that, and not believed.
 */
final class OrderRules {
    private static final List<Place> ORDERS = Stream.of(
                    Table.ORDERS, Table.APPROVALS, Table.FREEZES, Table.AUDITOR_ORDERS)
            .map(Place::of)
            .toList();

    private final Recount rows;
    private final Verdicts verdicts;
    private final LogReader log;

    /** By the log, and by the decisions so far. */
    private final OrderBook came = new OrderBook();

    private final OrderBook taken;

    /** The decision that quarantined a machine for a campaign, and the last one that took a campaign's retry order. */
    private final Map<String, Long> quarantined = new HashMap<>();

    private final Map<Long, Long> retried = new HashMap<>();

    OrderRules(Recount rows, Verdicts verdicts, SimLog log, OrderBook taken) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.log = new LogReader(log);
        ORDERS.forEach(place -> this.log.seek(place, 0));
        this.taken = taken;
    }

    /** Before the facts of a decision are put. */
    void decided(Decision decision) {
        boolean refused = decision.event() == Event.REJECTED;
        for (Fact fact : decision.facts()) {
            taken.take(fact);
            Long uid = fact instanceof Order order ? order.campaignUid() : null;
            verdicts.require(
                    refused || !(fact instanceof Order order) || isWithTheRight(order),
                    Invariant.RIGHT,
                    fact.at() + " was accepted from those who may not order it");
            if (!refused && uid != null && ((Order) fact).key() instanceof OrderKey.Retry) {
                retried.put(uid, decision.seq());
            }
        }
        for (Fact fact : decision.facts()) {
            if (fact instanceof CampaignStatus status) {
                changed(decision, status);
            } else if (fact instanceof MachineStatus status) {
                entries(decision, status);
            }
        }
    }

    /** After a commit. */
    void committed(Batch batch) {
        for (Offset offset : batch.head().offsets()) {
            Place place = Place.of(offset.table());
            if (ORDERS.contains(place)) {
                log.upTo(place, offset.next())
                        .forEach(fetched -> came.take(fetched.logged().fact()));
            }
        }
        came.frozen()
                .forEach(at -> verdicts.require(
                        taken.holds(at), Invariant.FREEZE, at + " was ordered and nothing is frozen by it"));
        for (CampaignStatus campaign : rows.campaigns()) {
            Order.Verb verb = came.state(campaign.name(), campaign.uid());
            boolean stopped = verb == Order.Verb.PAUSE || verb == Order.Verb.ABORT;
            verdicts.require(
                    !stopped || campaign.state() != RunState.RUNNING,
                    Invariant.CAMPAIGN_ORDER,
                    "campaign " + campaign.name() + " runs, and the newest order about it is to " + verb);
            verdicts.require(
                    verb != Order.Verb.ABORT || campaign.state().over(),
                    Invariant.CAMPAIGN_ORDER,
                    "campaign " + campaign.name() + " is " + campaign.state().label() + ", and it was aborted");
        }
    }

    /**
     * Where all that was due is decided, no machine is left quarantined from before the last retry order of its campaign, but one
     * that is not there, cannot be read, is opted out or in flight.
     */
    void retried() {
        for (MachineStatus status : rows.statuses()) {
            MachineRow row = rows.machine(status.key());
            if (row == null
                    || !row.uid().equals(status.uid())
                    || row.optOut()
                    || status.attempt() != null
                    || rows.isUnread(status.key().site())
                    || rows.isUnreadable(row.at())
                    || rows.isUnreadable(status.at())) {
                continue;
            }
            for (Entry entry : status.entries()) {
                CampaignStatus campaign = rows.campaign(entry.driver());
                long since = quarantined.getOrDefault(place(status, entry.driver()), Long.MAX_VALUE);
                verdicts.require(
                        campaign == null
                                || campaign.state().over()
                                || entry.outcome() != Outcome.QUARANTINED
                                || retried.getOrDefault(campaign.uid(), 0L) < since,
                        Invariant.RETRY,
                        status.key() + " was quarantined by decision " + since + " and does not go again, though "
                                + entry.driver() + " was ordered to retry");
            }
        }
    }

    private static String place(MachineStatus status, Driver driver) {
        return status.key() + " " + status.uid() + " " + driver;
    }

    /** Whether those who may write its table may order it: an ACL sees topics and no keys. */
    private static boolean isWithTheRight(Order order) {
        return switch (order.table()) {
            case APPROVALS -> order.verb() == Order.Verb.APPROVE;
            case FREEZES -> order.verb() == Order.Verb.FREEZE || order.verb() == Order.Verb.UNFREEZE;
            case AUDITOR_ORDERS -> order.verb() == Order.Verb.FREEZE;
            default ->
                order.verb() != Order.Verb.APPROVE
                        && order.verb() != Order.Verb.FREEZE
                        && order.verb() != Order.Verb.UNFREEZE;
        };
    }

    /** A campaign's state changes by an order about it and no other, by its end, its removal, or its budget. */
    private void changed(Decision decision, CampaignStatus now) {
        for (CampaignStatus namesake : rows.campaigns()) {
            verdicts.require(
                    !namesake.name().equals(now.name())
                            || namesake.uid() == now.uid()
                            || namesake.state().over(),
                    Invariant.PAUSE,
                    "campaign " + now.name() + " began anew while it was "
                            + namesake.state().label());
        }
        CampaignStatus before = rows.campaign(new Driver.OfCampaign(now.name(), now.uid()));
        if (before == null || before.state() == now.state()) {
            return;
        }
        Order order = order(decision, now.name());
        boolean right = switch (now.state()) {
            case COMPLETED -> true;
            case RUNNING -> isFor(order, now, Order.Verb.RUN);
            case PAUSED -> order == null || isFor(order, now, Order.Verb.PAUSE);
            case ABORTED -> order == null ? removed(decision, now.name()) : isFor(order, now, Order.Verb.ABORT);
        };
        boolean paused = before.state() == RunState.PAUSED || taken.state(now.name(), now.uid()) == Order.Verb.PAUSE;
        verdicts.require(
                now.state() != RunState.ABORTED || order != null || !paused,
                Invariant.PAUSE,
                "campaign " + now.name() + " was ended by its removal while it was paused, and may be written again");
        verdicts.require(
                right,
                Invariant.CAMPAIGN_ORDER,
                "campaign " + now.name() + " became " + now.state().label() + ", which no order about it asked for");
    }

    private static boolean isFor(@Nullable Order order, CampaignStatus campaign, Order.Verb verb) {
        Long uid = order == null ? null : order.campaignUid();
        return order != null && order.verb() == verb && uid != null && uid == campaign.uid();
    }

    private static @Nullable Order order(Decision decision, CampaignName campaign) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof Order order && order.key().equals(new OrderKey.State(campaign))) {
                return order;
            }
        }
        return null;
    }

    private static boolean removed(Decision decision, CampaignName campaign) {
        return decision.facts().stream()
                .anyMatch(fact -> fact instanceof Gone
                        && fact.at().table() == Table.CAMPAIGNS
                        && fact.at().key().equals(campaign));
    }

    /** A quarantine is lifted by a later retry order of its own campaign, or skipped; who was skipped stays so. */
    private void entries(Decision decision, MachineStatus now) {
        MachineStatus before = rows.status(now.key());
        for (Entry entry : now.entries()) {
            if (!(entry.driver() instanceof Driver.OfCampaign campaign)) {
                continue;
            }
            String place = place(now, campaign);
            Entry known = before == null || !before.uid().equals(now.uid()) ? null : Recount.entry(before, campaign);
            Outcome was = known == null ? Outcome.OPEN : known.outcome();
            if (entry.outcome() == Outcome.QUARANTINED && was != Outcome.QUARANTINED) {
                quarantined.put(place, decision.seq());
            }
            if (entry.outcome() == Outcome.OPEN && was == Outcome.QUARANTINED) {
                long order = retried.getOrDefault(campaign.uid(), 0L);
                long since = quarantined.getOrDefault(place, 0L);
                verdicts.require(
                        order > since,
                        Invariant.RETRY,
                        now.key() + " was quarantined by decision " + since
                                + " and goes again; the last retry order is " + order);
            }
            verdicts.require(
                    was != Outcome.SKIPPED
                            || entry.outcome() == Outcome.SKIPPED
                            || entry.outcome().atTarget(),
                    Invariant.SKIP,
                    now.key() + " was skipped and is " + entry.outcome() + " now");
        }
    }
}
