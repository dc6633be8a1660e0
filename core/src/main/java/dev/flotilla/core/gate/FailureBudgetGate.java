package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FailureBudgetEstimator;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.schemas.row.FailureBudget;
import org.jspecify.annotations.Nullable;

/**
 * The failure budget. A strict one bears everything that may fail: whatever is in flight or kept for a control plane. One at
 * a confidence bears as many of those in flight as may be expected to fail, judged by what has ended so far.
 */
final class FailureBudgetGate {
    private FailureBudgetGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.FAILURE_BUDGET,
                GateLevel.ROLLOUT,
                Gate.LeaseEffect.NONE,
                c -> c.finishesControlPlane() || budget(c) == null || atStake(c) <= most(c),
                FailureBudgetGate::explain);
    }

    private static @Nullable FailureBudget budget(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? campaign.spec().failureBudget() : null;
    }

    private static int most(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign
                ? FailureBudgetEstimator.maxFailures(campaign)
                : InFlightCapGates.NO_LIMIT;
    }

    /** What has failed, may fail, and may fail with this start. */
    private static long atStake(StartCandidate c) {
        Rollout rollout = c.rollout();
        Integer confidence = confidence(c);
        if (confidence == null) {
            return (long) rollout.budgetUsed() + elsewhere(c) + c.budgetNeeded();
        }
        long flying = (long) rollout.budgetUsed() - rollout.failed() - rollout.reserved();
        boolean alone = c.budgetNeeded() == 1;
        return (long) rollout.failed()
                + rollout.reserved()
                + elsewhere(c)
                + (alone ? 0 : c.budgetNeeded())
                + FailureBudgetEstimator.expectedFailures(
                        flying + (alone ? 1 : 0), rollout.failed(), ended(rollout), confidence);
    }

    /** The confidence at which the budget has to hold now; null where that is absolutely. */
    private static @Nullable Integer confidence(StartCandidate c) {
        FailureBudget budget = budget(c);
        return budget == null || ended(c.rollout()) < budget.minSample() ? null : budget.confidence();
    }

    private static int ended(Rollout rollout) {
        return rollout.upgraded() + rollout.failed();
    }

    /** What was used of it in sites that cannot be read. */
    private static int elsewhere(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unrestoredBudgetUsed(campaign) : 0;
    }

    private static ClosedGate explain(StartCandidate c) {
        int elsewhere = elsewhere(c);
        if (elsewhere == FleetState.UNKNOWN_USE) {
            return new ClosedGate(
                    GateLabel.FAILURE_BUDGET,
                    "unknown",
                    String.valueOf(most(c)),
                    "The topics of a site of this campaign cannot be read: how many of its machines failed is not known.");
        }
        Integer confidence = confidence(c);
        if (confidence != null) {
            return ClosedGate.numbers(
                    GateLabel.FAILURE_BUDGET,
                    atStake(c),
                    most(c),
                    c.rollout().failed() + " of " + ended(c.rollout())
                            + " machines have failed"
                            + FailureBudgetEstimator.describeDeleted(c.rollout()) + "; with this start and what is"
                            + " in flight it may be " + atStake(c) + " at a confidence of " + confidence
                            + "%, and the failure budget is " + most(c) + ".");
        }
        int used = c.rollout().budgetUsed() + elsewhere;
        return ClosedGate.numbers(
                GateLabel.FAILURE_BUDGET,
                (long) used + c.budgetNeeded(),
                most(c),
                used + " machines have failed, may yet fail or are kept for a control plane"
                        + (elsewhere == 0 ? "" : ", " + elsewhere + " of them in sites that cannot be read")
                        + FailureBudgetEstimator.describeDeleted(c.rollout()) + ", and this start adds "
                        + c.budgetNeeded()
                        + "; the failure budget is " + most(c) + ".");
    }
}
