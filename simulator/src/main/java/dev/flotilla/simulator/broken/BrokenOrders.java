package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.core.intake.CampaignMandate;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Variant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Cores that do not do what they are ordered, or do what nobody ordered. */
final class BrokenOrders {
    private static final FleetDecider BLIND_TO_THE_AUDITOR =
            new FleetDecider(Gates.standard().with(GateLabel.FREEZE, BrokenOrders::openToTheAuditor));

    private BrokenOrders() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "pause-acknowledged-only",
                                "a pause order is acknowledged, and the campaign runs on",
                                (state, input) -> runningOn(state, input, Event.CAMPAIGN_PAUSED))
                        .caughtBy(Invariant.CAMPAIGN_ORDER),
                core(
                                "abort-acknowledged-only",
                                "an abort order is acknowledged, and the campaign runs on",
                                (state, input) -> runningOn(state, input, Event.CAMPAIGN_ABORTED))
                        .caughtBy(Invariant.CAMPAIGN_ORDER),
                core(
                                "stop-with-a-known-id-applied-already",
                                "a pause or an abort with the id of the last state order counts as applied",
                                BrokenOrders::appliedAlready)
                        .caughtBy(Invariant.CAMPAIGN_ORDER),
                core(
                                "tombstone-lifts-a-freeze",
                                "a freeze ends when its record is taken out of the topic",
                                BrokenOrders::liftedByTombstone)
                        .caughtBy(Invariant.FREEZE),
                core(
                                "second-freeze-not-taken",
                                "a freeze that comes after an earlier one was lifted is not taken",
                                BrokenOrders::frozenOnce)
                        .caughtBy(Invariant.FREEZE),
                core("approval-on-orders-taken", "whoever may write orders may approve", BrokenOrders::approvedOnOrders)
                        .caughtBy(Invariant.RIGHT, Invariant.APPROVAL, Invariant.OVERLAP),
                core(
                                "tombstone-opens-what-nobody-can-read",
                                "what an unreadable order or policy has closed opens when its record is taken out of the topic",
                                BrokenOrders::openedByTombstone)
                        .caughtBy(Invariant.TOMBSTONE),
                core(
                                "tombstone-lifts-a-policy",
                                "a policy's limits end when its record is taken out of the topic",
                                BrokenOrders::unlimitedByTombstone)
                        .caughtBy(Invariant.TOMBSTONE),
                core(
                                "tombstone-ends-a-pause",
                                "a paused campaign whose record is taken out of the topic is over, and free to be written again",
                                BrokenOrders::endedByTombstone)
                        .caughtBy(Invariant.PAUSE),
                core(
                                "freeze-on-orders-forgotten",
                                "a freeze on the topic of orders is refused, and nothing is closed by it",
                                BrokenOrders::forgettingMisplaced)
                        .caughtBy(Invariant.FREEZE, Invariant.UNREADABLE),
                core(
                                "any-unfreeze-lifts-the-auditors",
                                "an order to unfreeze lifts the auditor's freeze whose id it does not name",
                                BrokenOrders::liftingTheAuditors)
                        .caughtBy(Invariant.FREEZE),
                core(
                                "auditors-unfreeze-obeyed",
                                "an order to unfreeze in the auditor's name is obeyed where people order",
                                BrokenOrders::obeyingTheAuditor)
                        .caughtBy(Invariant.FREEZE),
                core(
                                "old-retry-lifts-later-quarantines",
                                "a retry order lifts what is quarantined after it as well",
                                BrokenOrders::retriedForEver)
                        .caughtBy(Invariant.RETRY),
                core(
                                "retry-acknowledged-only",
                                "a retry order is acknowledged, and what is quarantined stays so",
                                BrokenOrders::retryingNothing)
                        .caughtBy(Invariant.RETRY),
                core(
                                "target-policy-ignored",
                                "a campaign is accepted whose target the fleet's policy does not allow",
                                BrokenOrders::toAnyTarget)
                        .caughtBy(Invariant.MANDATE),
                core(
                                "orders-of-any-campaign-of-the-name",
                                "a state order about an earlier campaign of the name is obeyed",
                                BrokenOrders::ofAnyUid)
                        .caughtBy(Invariant.CAMPAIGN_ORDER));
    }

    private static BrokenCore core(String name, String what, Decider decider) {
        return new BrokenCore(name, what, Variant.REAL.with(() -> decider));
    }

    private static Decision real(FleetState state, Input input) {
        return FleetDecider.standard().decide(state, input);
    }

    private static Decision runningOn(FleetState state, Input input, Event event) {
        Decision decision = real(state, input);
        boolean ordered = decision.event() == event && order(input) != null;
        return !ordered
                ? decision
                : OtherFacts.each(
                        decision,
                        fact -> fact instanceof CampaignStatus status
                                ? status.in(RunState.RUNNING, null, status.since())
                                : fact);
    }

    private static Decision appliedAlready(FleetState state, Input input) {
        Order order = order(input);
        if (order == null
                || !(order.key() instanceof OrderKey.State key)
                || (order.verb() != Verb.PAUSE && order.verb() != Verb.ABORT)) {
            return real(state, input);
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        boolean known = campaign != null
                && campaign.status().appliedOrders().stream()
                        .anyMatch(one ->
                                one.order().equals(key.toString()) && one.id().equals(order.id()));
        return known
                ? new Draft(state, input.at()).write(order).decide(Event.ORDER_APPLIED, order.key(), "applied already")
                : real(state, input);
    }

    private static Decision liftedByTombstone(FleetState state, Input input) {
        Decision decision = real(state, input);
        return input instanceof Input.Arrived arrived
                        && arrived.fact() instanceof Gone
                        && arrived.fact().at().key() instanceof OrderKey
                ? OtherFacts.each(decision, fact -> fact instanceof Rejected ? null : fact)
                : decision;
    }

    private static Decision openedByTombstone(FleetState state, Input input) {
        return input instanceof Input.Arrived arrived && arrived.fact() instanceof Gone
                ? OtherFacts.each(
                        real(state, input),
                        fact -> fact instanceof Rejected row && !row.readable() ? new Gone(row.at()) : fact)
                : real(state, input);
    }

    private static Decision unlimitedByTombstone(FleetState state, Input input) {
        return input instanceof Input.Arrived arrived
                        && arrived.fact() instanceof Gone gone
                        && gone.at().table() == Table.POLICIES
                ? OtherFacts.each(
                        real(state, input),
                        fact -> fact instanceof Rejected
                                ? new Gone(new RowKey(
                                        Table.CAMPAIGN_STATUS, gone.at().key()))
                                : fact)
                : real(state, input);
    }

    private static Decision endedByTombstone(FleetState state, Input input) {
        CampaignRollout campaign = input instanceof Input.Arrived arrived
                        && arrived.fact() instanceof Gone gone
                        && gone.at().table() == Table.CAMPAIGNS
                ? state.rollout((CampaignName) gone.at().key())
                : null;
        return campaign == null
                ? real(state, input)
                : OtherFacts.each(
                        real(state, input),
                        fact -> fact instanceof Rejected
                                ? campaign.status().in(RunState.ABORTED, "removed", input.at())
                                : fact);
    }

    private static Decision frozenOnce(FleetState state, Input input) {
        Order order = order(input);
        Order known = order == null ? null : state.orders().get(order.at());
        return order != null && order.verb() == Verb.FREEZE && known != null && known.verb() == Verb.UNFREEZE
                ? Decision.NOTHING
                : real(state, input);
    }

    private static Decision approvedOnOrders(FleetState state, Input input) {
        Order order = order(input);
        if (order == null || !order.isMisplaced() || order.verb() != Verb.APPROVE) {
            return real(state, input);
        }
        Order meant = order.on(order.key().table());
        return OtherFacts.each(real(state, instead(input, meant)), fact -> fact.equals(meant) ? order : fact);
    }

    private static Decision forgettingMisplaced(FleetState state, Input input) {
        return OtherFacts.each(
                real(state, input),
                fact -> fact instanceof Order order && order.isMisplaced() && order.freezes() ? null : fact);
    }

    private static Decision liftingTheAuditors(FleetState state, Input input) {
        Order auditors = state.orders().get(new RowKey(Table.AUDITOR_ORDERS, new OrderKey.FleetFreeze()));
        return OtherFacts.each(
                real(state, input),
                fact -> fact instanceof Order order
                                && auditors != null
                                && order.verb() == Verb.UNFREEZE
                                && order.key() instanceof OrderKey.FleetFreeze
                        ? order.lifting(List.of(auditors.id()))
                        : fact);
    }

    private static Decision obeyingTheAuditor(FleetState state, Input input) {
        Order order = order(input);
        if (order == null || !order.isInTheAuditorsName() || order.verb() != Verb.UNFREEZE) {
            return BLIND_TO_THE_AUDITOR.decide(state, input);
        }
        Order meant = new Order(order.key(), order.id(), "somebody", order.why(), null, order.verb());
        return OtherFacts.each(
                BLIND_TO_THE_AUDITOR.decide(state, instead(input, meant)), fact -> fact.equals(meant) ? order : fact);
    }

    private static Gate openToTheAuditor(Gate gate) {
        return new Gate(
                gate.label(),
                gate.level(),
                gate.hold(),
                candidate -> gate.isOpen(candidate) || isFrozenByAnUnfreeze(candidate),
                gate.explain());
    }

    /** A row in the auditor's name counts as a freeze, whatever it says. */
    private static boolean isFrozenByAnUnfreeze(Candidate candidate) {
        FleetState state = candidate.state();
        SiteId site = candidate.machine().site();
        Order fleet = state.orders().closing(new OrderKey.FleetFreeze());
        Order own = state.orders().closing(new OrderKey.SiteFreeze(site));
        return (fleet == null || fleet.verb() == Verb.UNFREEZE)
                && (own == null || own.verb() == Verb.UNFREEZE)
                && !Frozen.is(null, state.policy(Fleet.FLEET))
                && !Frozen.is(null, state.policy(site));
    }

    private static Decision retryingNothing(FleetState state, Input input) {
        Order order = order(input);
        return order == null || order.verb() != Verb.RETRY
                ? real(state, input)
                : OtherFacts.each(
                        real(state, input), fact -> fact instanceof CampaignStatus next ? next.retried(0) : fact);
    }

    private static Decision toAnyTarget(FleetState state, Input input) {
        Decision decision = real(state, input);
        Campaign row = input instanceof Input.Arrived arrived && arrived.fact() instanceof Campaign came ? came : null;
        CampaignMandate.Breach breach = row == null ? null : CampaignMandate.of(state.policy(Fleet.FLEET), row);
        if (row == null
                || breach == null
                || !breach.path().equals("spec.target.option")
                || state.rollout(row.name()) != null) {
            return decision;
        }
        Draft draft = new Draft(state, input.at());
        return draft.write(row)
                .write(new CampaignStatus(
                        row.name(), draft.seq(), row, RunState.RUNNING, null, draft.at(), List.of(), 0, List.of()))
                .decide(Event.CAMPAIGN_ACCEPTED, row.name(), "");
    }

    private static Input instead(Input input, Order order) {
        return input instanceof Input.Arrived arrived
                ? new Input.Arrived(order, arrived.partition(), arrived.offset(), arrived.at())
                : input;
    }

    private static Decision retriedForEver(FleetState state, Input input) {
        return OtherFacts.each(
                real(state, input),
                fact -> fact instanceof MachineStatus status
                        ? withEntries(
                                status,
                                entry -> entry.quarantineSeq() == null
                                        ? entry
                                        : entry.quarantined(entry.failedAttempts(), 0))
                        : fact);
    }

    private static Decision ofAnyUid(FleetState state, Input input) {
        Order order = order(input);
        if (order == null
                || !(input instanceof Input.Arrived arrived)
                || !(order.key() instanceof OrderKey.State key)) {
            return real(state, input);
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        if (campaign == null) {
            return real(state, input);
        }
        Order meant = new Order(
                key, order.id(), order.who(), order.why(), campaign.status().uid(), order.verb());
        return OtherFacts.each(
                real(state, new Input.Arrived(meant, arrived.partition(), arrived.offset(), input.at())),
                fact -> fact.equals(meant) ? order : fact);
    }

    private static @Nullable Order order(Input input) {
        return input instanceof Input.Arrived arrived && arrived.fact() instanceof Order order ? order : null;
    }

    private static MachineStatus withEntries(MachineStatus status, Function<Entry, Entry> change) {
        return new MachineStatus(
                status.key(),
                status.uid(),
                status.attempt(),
                status.lastFailure(),
                status.entries().stream().map(change).toList());
    }
}
