package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.intake.CampaignPolicyValidator;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Cores that ignore orders, or act without an order. */
final class BrokenOperatorOrderCores {
    private static final FleetDecider BLIND_TO_THE_AUDITOR =
            new FleetDecider(GateChain.standard().with(GateLabel.FREEZE, BrokenOperatorOrderCores::openToTheAuditor));

    private BrokenOperatorOrderCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "pause-acknowledged-only",
                                "a pause order is acknowledged, but the campaign continues",
                                (state, input) -> runningOn(state, input, DecisionEvent.CAMPAIGN_PAUSED))
                        .expectedToBreak(Invariant.CAMPAIGN_ORDER),
                core(
                                "abort-acknowledged-only",
                                "an abort order is acknowledged, but the campaign continues",
                                (state, input) -> runningOn(state, input, DecisionEvent.CAMPAIGN_ABORTED))
                        .expectedToBreak(Invariant.CAMPAIGN_ORDER),
                core(
                                "stop-with-a-known-id-applied-already",
                                "a pause or an abort with the id of the last state order counts as applied",
                                BrokenOperatorOrderCores::appliedAlready)
                        .expectedToBreak(Invariant.CAMPAIGN_ORDER),
                core(
                                "tombstone-lifts-a-freeze",
                                "a tombstone lifts a freeze",
                                BrokenOperatorOrderCores::liftedByTombstone)
                        .expectedToBreak(Invariant.FREEZE),
                core(
                                "second-freeze-not-taken",
                                "a freeze after a lifted one is not accepted",
                                BrokenOperatorOrderCores::frozenOnce)
                        .expectedToBreak(Invariant.FREEZE),
                core(
                                "approval-on-orders-taken",
                                "an approval in the topic of orders is accepted",
                                BrokenOperatorOrderCores::approvedOnOrders)
                        .expectedToBreak(Invariant.ORDER_AUTHORITY, Invariant.APPROVAL, Invariant.OVERLAP),
                core(
                                "tombstone-opens-what-nobody-can-read",
                                "a tombstone opens what an unreadable order or policy has closed",
                                BrokenOperatorOrderCores::openedByTombstone)
                        .expectedToBreak(Invariant.TOMBSTONE),
                core(
                                "tombstone-lifts-a-policy",
                                "a tombstone removes a policy's limits",
                                BrokenOperatorOrderCores::unlimitedByTombstone)
                        .expectedToBreak(Invariant.TOMBSTONE),
                core(
                                "tombstone-ends-a-pause",
                                "a tombstone aborts a paused campaign, so that it can be written again",
                                BrokenOperatorOrderCores::endedByTombstone)
                        .expectedToBreak(Invariant.PAUSE),
                core(
                                "freeze-on-orders-forgotten",
                                "a freeze in the topic of orders is rejected and closes nothing",
                                BrokenOperatorOrderCores::forgettingMisplaced)
                        .expectedToBreak(Invariant.FREEZE, Invariant.UNREADABLE),
                core(
                                "any-unfreeze-lifts-the-auditors",
                                "an order to unfreeze lifts the auditor's freeze without naming its id",
                                BrokenOperatorOrderCores::liftingTheAuditors)
                        .expectedToBreak(Invariant.FREEZE),
                core(
                                "auditors-unfreeze-obeyed",
                                "an order to unfreeze in the auditor's name is accepted in the operators' topic",
                                BrokenOperatorOrderCores::obeyingTheAuditor)
                        .expectedToBreak(Invariant.FREEZE),
                core(
                                "old-retry-lifts-later-quarantines",
                                "a retry order also lifts later quarantines",
                                BrokenOperatorOrderCores::retriedForEver)
                        .expectedToBreak(Invariant.RETRY),
                core(
                                "retry-acknowledged-only",
                                "a retry order is acknowledged but lifts no quarantine",
                                BrokenOperatorOrderCores::retryingNothing)
                        .expectedToBreak(Invariant.RETRY),
                core(
                                "target-policy-ignored",
                                "a campaign is accepted although the fleet's policy forbids its target",
                                BrokenOperatorOrderCores::toAnyTarget)
                        .expectedToBreak(Invariant.CAMPAIGN_RULE),
                core(
                                "orders-of-any-campaign-of-the-name",
                                "a state order about an earlier campaign of the same name is applied",
                                BrokenOperatorOrderCores::ofAnyUid)
                        .expectedToBreak(Invariant.CAMPAIGN_ORDER));
    }

    private static BrokenCore core(String name, String what, Decider decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> decider));
    }

    private static Decision real(FleetState state, DecisionInput input) {
        return FleetDecider.standard().decide(state, input);
    }

    private static Decision runningOn(FleetState state, DecisionInput input, DecisionEvent event) {
        Decision decision = real(state, input);
        boolean ordered = decision.event() == event && order(input) != null;
        return !ordered
                ? decision
                : DecisionRewriter.each(
                        decision,
                        rowChange -> rowChange instanceof CampaignStatus status
                                ? status.withState(CampaignState.RUNNING, null, status.stateSince())
                                : rowChange);
    }

    private static Decision appliedAlready(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        if (order == null
                || !(order.key() instanceof OperatorOrderKey.SetCampaignState key)
                || (order.verb() != OrderVerb.PAUSE && order.verb() != OrderVerb.ABORT)) {
            return real(state, input);
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        boolean known = campaign != null
                && campaign.status().appliedOrders().stream()
                        .anyMatch(applied -> applied.order().equals(key.toString())
                                && applied.id().equals(order.id()));
        return known
                ? new DecisionBuilder(state, input.at())
                        .write(order)
                        .build(DecisionEvent.ORDER_APPLIED, order.key(), "applied already")
                : real(state, input);
    }

    private static Decision liftedByTombstone(FleetState state, DecisionInput input) {
        Decision decision = real(state, input);
        return input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Tombstone
                        && recordReceived.change().rowKey().key() instanceof OperatorOrderKey
                ? DecisionRewriter.each(decision, rowChange -> rowChange instanceof RejectedRecord ? null : rowChange)
                : decision;
    }

    private static Decision openedByTombstone(FleetState state, DecisionInput input) {
        return input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Tombstone
                ? DecisionRewriter.each(
                        real(state, input),
                        rowChange -> rowChange instanceof RejectedRecord row && !row.readable()
                                ? new Tombstone(row.rowKey())
                                : rowChange)
                : real(state, input);
    }

    private static Decision unlimitedByTombstone(FleetState state, DecisionInput input) {
        return input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Tombstone tombstone
                        && tombstone.rowKey().table() == Table.POLICIES
                ? DecisionRewriter.each(
                        real(state, input),
                        rowChange -> rowChange instanceof RejectedRecord
                                ? new Tombstone(new RowKey(
                                        Table.CAMPAIGN_STATUS,
                                        tombstone.rowKey().key()))
                                : rowChange)
                : real(state, input);
    }

    private static Decision endedByTombstone(FleetState state, DecisionInput input) {
        CampaignRollout campaign = input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Tombstone tombstone
                        && tombstone.rowKey().table() == Table.CAMPAIGNS
                ? state.rollout((CampaignName) tombstone.rowKey().key())
                : null;
        return campaign == null
                ? real(state, input)
                : DecisionRewriter.each(
                        real(state, input),
                        rowChange -> rowChange instanceof RejectedRecord
                                ? campaign.status().withState(CampaignState.ABORTED, "removed", input.at())
                                : rowChange);
    }

    private static Decision frozenOnce(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        OperatorOrder known = order == null ? null : state.orders().get(order.rowKey());
        return order != null && order.verb() == OrderVerb.FREEZE && known != null && known.verb() == OrderVerb.UNFREEZE
                ? Decision.NOTHING
                : real(state, input);
    }

    private static Decision approvedOnOrders(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        if (order == null || !order.isOnWrongTable() || order.verb() != OrderVerb.APPROVE) {
            return real(state, input);
        }
        OperatorOrder rewritten = order.withTable(order.key().table());
        return DecisionRewriter.each(
                real(state, replaceOrder(input, rewritten)),
                rowChange -> rowChange.equals(rewritten) ? order : rowChange);
    }

    private static Decision forgettingMisplaced(FleetState state, DecisionInput input) {
        return DecisionRewriter.each(
                real(state, input),
                rowChange -> rowChange instanceof OperatorOrder order && order.isOnWrongTable() && order.isFreeze()
                        ? null
                        : rowChange);
    }

    private static Decision liftingTheAuditors(FleetState state, DecisionInput input) {
        OperatorOrder auditors =
                state.orders().get(new RowKey(Table.AUDITOR_ORDERS, new OperatorOrderKey.FreezeFleet()));
        return DecisionRewriter.each(
                real(state, input),
                rowChange -> rowChange instanceof OperatorOrder order
                                && auditors != null
                                && order.verb() == OrderVerb.UNFREEZE
                                && order.key() instanceof OperatorOrderKey.FreezeFleet
                        ? order.withLiftedFreezes(List.of(auditors.id()))
                        : rowChange);
    }

    private static Decision obeyingTheAuditor(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        if (order == null || !order.claimsToBeAuditor() || order.verb() != OrderVerb.UNFREEZE) {
            return BLIND_TO_THE_AUDITOR.decide(state, input);
        }
        OperatorOrder rewritten =
                new OperatorOrder(order.key(), order.id(), "operator", order.reason(), null, order.verb());
        return DecisionRewriter.each(
                BLIND_TO_THE_AUDITOR.decide(state, replaceOrder(input, rewritten)),
                rowChange -> rowChange.equals(rewritten) ? order : rowChange);
    }

    private static Gate openToTheAuditor(Gate gate) {
        return new Gate(
                gate.label(),
                gate.level(),
                gate.leaseEffect(),
                candidate -> gate.isOpen(candidate) || isFrozenByAnUnfreeze(candidate),
                gate.explain());
    }

    /** Whether only a row in the auditor's name closes the gate, which counts as a freeze whatever it says. */
    private static boolean isFrozenByAnUnfreeze(StartCandidate candidate) {
        FleetState state = (FleetState) candidate.state();
        SiteId site = candidate.machine().site();
        OperatorOrder fleet = state.orders().anyFreeze(new OperatorOrderKey.FreezeFleet());
        OperatorOrder own = state.orders().anyFreeze(new OperatorOrderKey.FreezeSite(site));
        return (fleet == null || fleet.verb() == OrderVerb.UNFREEZE)
                && (own == null || own.verb() == OrderVerb.UNFREEZE)
                && !FreezeRule.isFrozen(null, state.policy(FleetScope.FLEET))
                && !FreezeRule.isFrozen(null, state.policy(site));
    }

    private static Decision retryingNothing(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        return order == null || order.verb() != OrderVerb.RETRY
                ? real(state, input)
                : DecisionRewriter.each(
                        real(state, input),
                        rowChange -> rowChange instanceof CampaignStatus next ? next.withRetryBefore(0) : rowChange);
    }

    private static Decision toAnyTarget(FleetState state, DecisionInput input) {
        Decision decision = real(state, input);
        Campaign row = input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Campaign received
                ? received
                : null;
        CampaignPolicyValidator.CampaignRuleViolation breach =
                row == null ? null : CampaignPolicyValidator.firstViolation(state, row);
        if (row == null
                || breach == null
                || !breach.path().equals("spec.target.option")
                || state.rollout(row.name()) != null) {
            return decision;
        }
        DecisionBuilder draft = new DecisionBuilder(state, input.at());
        return draft.write(row)
                .write(new CampaignStatus(
                        row.name(), draft.seq(), row, CampaignState.RUNNING, null, draft.at(), List.of(), 0, List.of()))
                .build(DecisionEvent.CAMPAIGN_ACCEPTED, row.name(), "");
    }

    private static DecisionInput replaceOrder(DecisionInput input, OperatorOrder order) {
        return input instanceof DecisionInput.RecordReceived recordReceived
                ? new DecisionInput.RecordReceived(
                        order, recordReceived.partition(), recordReceived.offset(), recordReceived.at())
                : input;
    }

    private static Decision retriedForEver(FleetState state, DecisionInput input) {
        return DecisionRewriter.each(
                real(state, input),
                rowChange -> rowChange instanceof MachineStatus status
                        ? withEntries(
                                status,
                                entry -> entry.quarantineSeq() == null
                                        ? entry
                                        : entry.withQuarantine(entry.failedAttempts(), 0))
                        : rowChange);
    }

    private static Decision ofAnyUid(FleetState state, DecisionInput input) {
        OperatorOrder order = order(input);
        if (order == null
                || !(input instanceof DecisionInput.RecordReceived recordReceived)
                || !(order.key() instanceof OperatorOrderKey.SetCampaignState key)) {
            return real(state, input);
        }
        CampaignRollout campaign = state.rollout(key.campaign());
        if (campaign == null) {
            return real(state, input);
        }
        OperatorOrder rewritten = new OperatorOrder(
                key,
                order.id(),
                order.requestedBy(),
                order.reason(),
                campaign.status().uid(),
                order.verb());
        return DecisionRewriter.each(
                real(
                        state,
                        new DecisionInput.RecordReceived(
                                rewritten, recordReceived.partition(), recordReceived.offset(), input.at())),
                rowChange -> rowChange.equals(rewritten) ? order : rowChange);
    }

    private static @Nullable OperatorOrder order(DecisionInput input) {
        return input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof OperatorOrder order
                ? order
                : null;
    }

    private static MachineStatus withEntries(MachineStatus status, Function<RolloutEntry, RolloutEntry> change) {
        return new MachineStatus(
                status.key(),
                status.uid(),
                status.attempt(),
                status.lastFailure(),
                status.entries().stream().map(change).toList());
    }
}
