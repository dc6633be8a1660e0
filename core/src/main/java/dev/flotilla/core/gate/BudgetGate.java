package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.FailureRisk;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.core.fleet.Rollout;
import dev.flotilla.schemas.row.FailureBudget;
import org.jspecify.annotations.Nullable;

/**
 * The failure budget. A strict one bears everything that may fail: whatever is in flight or kept for a control plane. One at
 * a confidence bears as many of those in flight as may be expected to fail, judged by what has ended so far.
 */
final class BudgetGate {
    private BudgetGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.BUDGET,
                Level.ROLLOUT,
                Gate.Hold.NONE,
                c -> c.finishesControlPlane() || budget(c) == null || atStake(c) <= most(c),
                BudgetGate::explain);
    }

    private static @Nullable FailureBudget budget(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? campaign.spec().failureBudget() : null;
    }

    private static int most(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? FailureRisk.bears(campaign) : CapGates.NO_LIMIT;
    }

    /** What has failed, may fail, and may fail with this start. */
    private static long atStake(Candidate c) {
        Rollout rollout = c.rollout();
        Integer confidence = confidence(c);
        if (confidence == null) {
            return (long) rollout.budgetUsed() + elsewhere(c) + c.need();
        }
        long flying = (long) rollout.budgetUsed() - rollout.failed() - rollout.reserved();
        boolean alone = c.need() == 1;
        return (long) rollout.failed()
                + rollout.reserved()
                + elsewhere(c)
                + (alone ? 0 : c.need())
                + FailureRisk.of(flying + (alone ? 1 : 0), rollout.failed(), ended(rollout), confidence);
    }

    /** The confidence at which the budget has to hold now; null where that is absolutely. */
    private static @Nullable Integer confidence(Candidate c) {
        FailureBudget budget = budget(c);
        return budget == null || ended(c.rollout()) < budget.minSample() ? null : budget.confidence();
    }

    private static int ended(Rollout rollout) {
        return rollout.upgraded() + rollout.failed();
    }

    /** What was used of it in sites that cannot be read. */
    private static int elsewhere(Candidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unreadBudgetUsed(campaign) : 0;
    }

    private static Closed explain(Candidate c) {
        int elsewhere = elsewhere(c);
        if (elsewhere == FleetState.UNKNOWN_USE) {
            return new Closed(
                    GateLabel.BUDGET,
                    "unknown",
                    String.valueOf(most(c)),
                    "The topics of a site of this campaign cannot be read: how many of its machines failed is not known.");
        }
        Integer confidence = confidence(c);
        if (confidence != null) {
            return Closed.numbers(
                    GateLabel.BUDGET,
                    atStake(c),
                    most(c),
                    c.rollout().failed() + " of " + ended(c.rollout())
                            + " machines have failed"
                            + FailureRisk.gone(c.rollout()) + "; with this start and what is"
                            + " in flight it may be " + atStake(c) + " at a confidence of " + confidence
                            + "%, and the failure budget is " + most(c) + ".");
        }
        int used = c.rollout().budgetUsed() + elsewhere;
        return Closed.numbers(
                GateLabel.BUDGET,
                (long) used + c.need(),
                most(c),
                used + " machines have failed, may yet fail or are kept for a control plane"
                        + (elsewhere == 0 ? "" : ", " + elsewhere + " of them in sites that cannot be read")
                        + FailureRisk.gone(c.rollout()) + ", and this start adds " + c.need()
                        + "; the failure budget is " + most(c) + ".");
    }
}
