package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Event;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FailureRisk;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.simulator.run.Variant;
import java.util.List;
import java.util.function.UnaryOperator;

/** Cores that are surer of a failure budget than they were asked to be, or do not heed it. */
final class BrokenBudgets {
    private static final int HALF = 50;

    private BrokenBudgets() {}

    static List<BrokenCore> all() {
        return List.of(
                judging(
                        "budget-at-the-wrong-confidence",
                        "a budget that has to hold at a confidence is held at an even chance",
                        budget -> new FailureBudget(budget.most(), HALF, budget.minSample())),
                judging(
                        "sample-not-waited-for",
                        "a share of failures is believed from the first machine on",
                        budget -> new FailureBudget(budget.most(), budget.confidence(), 0)),
                new BrokenCore(
                        "breach-does-not-pause",
                        "a campaign of which more machines have failed than its budget bears runs on",
                        Variant.REAL.with(() -> BrokenBudgets::runningOn)));
    }

    private static Decision runningOn(FleetState state, Input input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        boolean pausesByItself = input instanceof Input.Due && decision.event() == Event.CAMPAIGN_PAUSED;
        return pausesByItself ? Decision.NOTHING : decision;
    }

    private static BrokenCore judging(String name, String what, UnaryOperator<FailureBudget> change) {
        Gates broken = Gates.standard()
                .with(
                        GateLabel.BUDGET,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.hold(),
                                candidate -> gate.isOpen(candidate) || bears(candidate, change),
                                gate.explain()));
        return new BrokenCore(name, what, Variant.REAL.with(() -> new FleetDecider(broken)));
    }

    private static boolean bears(Candidate candidate, UnaryOperator<FailureBudget> change) {
        if (!(candidate.rollout() instanceof CampaignRollout campaign)
                || campaign.spec().failureBudget() == null
                || campaign.spec().failureBudget().confidence() == null) {
            return false;
        }
        FailureBudget budget = change.apply(campaign.spec().failureBudget());
        int ended = campaign.failed() + campaign.upgraded();
        int flying = campaign.budgetUsed() - campaign.failed() - campaign.reserved() + candidate.need();
        return budget.confidence() != null
                && ended >= budget.minSample()
                && campaign.failed() + FailureRisk.of(flying, campaign.failed(), ended, budget.confidence())
                        <= FailureRisk.bears(campaign);
    }
}
