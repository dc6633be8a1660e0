package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.limits.FailureBudgetEstimator;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Cores that count too little against a failure budget, or ignore it. */
final class BrokenFailureBudgetCores {
    private static final int HALF = 50;

    private BrokenFailureBudgetCores() {}

    static List<BrokenCore> all() {
        return List.of(
                judging(
                                "budget-at-the-wrong-confidence",
                                "a budget with a confidence is only kept with a probability of one half",
                                budget -> new FailureBudget(budget.maxFailures(), HALF, budget.minSample()))
                        .expectedToBreak(Invariant.BUDGET),
                judging(
                                "sample-not-waited-for",
                                "the share of failures is estimated before the minimum sample",
                                budget -> new FailureBudget(budget.maxFailures(), budget.confidence(), 0))
                        .expectedToBreak(Invariant.BUDGET),
                opening(
                                "reserve-ignored",
                                "nothing of a budget is reserved for half-upgraded control planes",
                                campaign -> campaign.reserved(),
                                candidate -> 0)
                        .expectedToBreak(Invariant.BUDGET),
                opening(
                                "control-plane-costs-one",
                                "only the first member of a control plane counts against a budget",
                                campaign -> 0,
                                candidate -> candidate.budgetNeeded() - 1)
                        .expectedToBreak(Invariant.BUDGET),
                new BrokenCore(
                                "breach-does-not-pause",
                                "a campaign that exceeds its failure budget continues",
                                SystemUnderTest.REAL.with(() -> BrokenFailureBudgetCores::runningOn))
                        .expectedToBreak(Invariant.BREACH),
                forgetting(
                                "failures-go-with-the-machine",
                                "the deletion of a failed machine gives its failure back to the budget",
                                BrokenFailureBudgetCores::withoutDeleted)
                        .expectedToBreak(Invariant.BUDGET, Invariant.BREACH),
                forgetting(
                                "failures-go-with-the-name",
                                "replacing a failed machine gives its failure back to the budget",
                                BrokenFailureBudgetCores::withoutReplaced)
                        .expectedToBreak(Invariant.BUDGET, Invariant.BREACH));
    }

    private static BrokenCore forgetting(
            String name, String what, BiFunction<FleetState, Decision, List<RowChange>> remembered) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return DecisionRewriter.of(decision, remembered.apply(state, decision));
        }));
    }

    private static List<RowChange> withoutDeleted(FleetState state, Decision decision) {
        boolean deletes = decision.changes().stream()
                .anyMatch(rowChange ->
                        rowChange instanceof Tombstone && rowChange.rowKey().table() == Table.INVENTORY);
        return !deletes
                ? decision.changes()
                : decision.changes().stream()
                        .map(rowChange ->
                                rowChange instanceof MachineStatus status ? new Tombstone(status.rowKey()) : rowChange)
                        .toList();
    }

    private static List<RowChange> withoutReplaced(FleetState state, Decision decision) {
        return decision.changes().stream()
                .filter(rowChange -> !(rowChange instanceof CampaignStatus status && countsMore(state, status)))
                .toList();
    }

    private static boolean countsMore(FleetState state, CampaignStatus now) {
        CampaignRollout known = state.rollout(now.name());
        return known != null && known.status().failuresOfDeletedMachines() < now.failuresOfDeletedMachines();
    }

    private static Decision runningOn(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        boolean pausesByItself =
                input instanceof DecisionInput.TimePassed && decision.event() == DecisionEvent.CAMPAIGN_PAUSED;
        return pausesByItself ? Decision.NOTHING : decision;
    }

    private static BrokenCore opening(
            String name, String what, ToIntFunction<CampaignRollout> kept, ToIntFunction<StartCandidate> following) {
        GateChain broken = GateChain.standard()
                .with(
                        GateLabel.FAILURE_BUDGET,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) || allowsWithout(candidate, kept, following),
                                gate.explain()));
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> new FleetDecider(broken)));
    }

    private static boolean allowsWithout(
            StartCandidate candidate, ToIntFunction<CampaignRollout> kept, ToIntFunction<StartCandidate> following) {
        return candidate.rollout() instanceof CampaignRollout campaign
                && campaign.spec().failureBudget() != null
                && campaign.spec().failureBudget().confidence() == null
                && campaign.budgetUsed()
                                - kept.applyAsInt(campaign)
                                + candidate.budgetNeeded()
                                - following.applyAsInt(candidate)
                        <= campaign.maxFailures();
    }

    private static BrokenCore judging(String name, String what, UnaryOperator<FailureBudget> change) {
        GateChain broken = GateChain.standard()
                .with(
                        GateLabel.FAILURE_BUDGET,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) || allowsWithout(candidate, change),
                                gate.explain()));
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> new FleetDecider(broken)));
    }

    private static boolean allowsWithout(StartCandidate candidate, UnaryOperator<FailureBudget> change) {
        if (!(candidate.rollout() instanceof CampaignRollout campaign)
                || campaign.spec().failureBudget() == null
                || campaign.spec().failureBudget().confidence() == null) {
            return false;
        }
        FailureBudget budget = change.apply(campaign.spec().failureBudget());
        int ended = campaign.failed() + campaign.upgraded();
        int inFlight = campaign.budgetUsed() - campaign.failed() - campaign.reserved() + candidate.budgetNeeded();
        return budget.confidence() != null
                && ended >= budget.minSample()
                && campaign.failed()
                                + FailureBudgetEstimator.expectedFailures(
                                        inFlight, campaign.failed(), ended, budget.confidence())
                        <= campaign.maxFailures();
    }
}
