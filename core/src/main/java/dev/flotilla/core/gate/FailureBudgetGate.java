package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.FailureBudgetBreach;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.limits.FailureBudgetEstimator;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.FailureBudget;
import org.jspecify.annotations.Nullable;

/**
 * The failure budget gate. A strict budget covers everything that may fail: machines in flight and reservations for
 * control planes. A budget with a confidence covers as many machines in flight as are expected to fail, judged by the
 * ended ones.
 */
final class FailureBudgetGate {
    private FailureBudgetGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.FAILURE_BUDGET,
                GateLevel.ROLLOUT,
                Gate.LeaseEffect.NONE,
                c -> c.finishesControlPlane() || budget(c) == null || atStake(c) <= maxFailures(c),
                FailureBudgetGate::explain);
    }

    private static @Nullable FailureBudget budget(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? campaign.spec().failureBudget() : null;
    }

    private static int maxFailures(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? campaign.maxFailures() : InFlightCapGates.NO_LIMIT;
    }

    /** Machines that have failed or may fail, including this start. */
    private static long atStake(StartCandidate c) {
        Rollout rollout = c.rollout();
        Integer confidence = confidence(c);
        if (confidence == null) {
            return (long) rollout.budgetUsed() + usedInUnrestoredSites(c) + c.budgetNeeded();
        }
        long inFlight = (long) rollout.budgetUsed() - rollout.failed() - rollout.reserved();
        boolean isSingleMachine = c.budgetNeeded() == 1;
        return (long) rollout.failed()
                + rollout.reserved()
                + usedInUnrestoredSites(c)
                + (isSingleMachine ? 0 : c.budgetNeeded())
                + FailureBudgetEstimator.expectedFailures(
                        inFlight + (isSingleMachine ? 1 : 0), rollout.failed(), ended(rollout), confidence);
    }

    /** The confidence that applies now; null if the budget is strict. */
    private static @Nullable Integer confidence(StartCandidate c) {
        FailureBudget budget = budget(c);
        return budget == null || ended(c.rollout()) < budget.minSample() ? null : budget.confidence();
    }

    private static int ended(Rollout rollout) {
        return rollout.upgraded() + rollout.failed();
    }

    /** The part of the budget used in sites that cannot be read. */
    private static int usedInUnrestoredSites(StartCandidate c) {
        return c.rollout() instanceof CampaignRollout campaign ? c.state().unrestoredBudgetUsed(campaign) : 0;
    }

    private static ClosedGate explain(StartCandidate c) {
        int inUnrestoredSites = usedInUnrestoredSites(c);
        if (inUnrestoredSites == FleetState.UNKNOWN_USE) {
            return new ClosedGate(
                    GateLabel.FAILURE_BUDGET,
                    "unknown",
                    String.valueOf(maxFailures(c)),
                    "A site of this campaign cannot be read, so the number of its failed machines is unknown.");
        }
        Integer confidence = confidence(c);
        if (confidence != null) {
            return ClosedGate.numbers(
                    GateLabel.FAILURE_BUDGET,
                    atStake(c),
                    maxFailures(c),
                    "The failure budget is " + maxFailures(c) + ": "
                            + c.rollout().failed() + " of "
                            + ClosedGate.count(ended(c.rollout()), "machine")
                            + " failed" + FailureBudgetBreach.describeDeleted(c.rollout())
                            + ". With the machines in flight and this start, " + atStake(c)
                            + " may fail at a confidence of " + confidence + "%.");
        }
        int used = c.rollout().budgetUsed() + inUnrestoredSites;
        ClosedGate closed = ClosedGate.numbers(
                GateLabel.FAILURE_BUDGET,
                (long) used + c.budgetNeeded(),
                maxFailures(c),
                "The failure budget is " + maxFailures(c) + ": " + c.rollout().failed() + " failed"
                        + FailureBudgetBreach.describeDeleted(c.rollout()) + ", "
                        + (c.rollout().budgetUsed()
                                - c.rollout().failed()
                                - c.rollout().reserved())
                        + " in flight, " + c.rollout().reserved() + " reserved for control planes"
                        + (inUnrestoredSites == 0 ? "" : ", " + inUnrestoredSites + " in sites that cannot be read")
                        + ". This start would make " + (used + c.budgetNeeded()) + ".");
        // What is in flight and reserved may succeed; what has failed has not.
        return c.rollout().failed() + c.budgetNeeded() > maxFailures(c) ? closed.forPerson() : closed;
    }
}
