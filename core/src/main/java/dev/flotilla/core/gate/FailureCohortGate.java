package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.limits.FailureCohort;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;

/**
 * Stops new starts in a cohort of machines that fail together. Failed machines are still retried: if that helps, the
 * cohort is not to blame.
 */
final class FailureCohortGate {
    private FailureCohortGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.FAILURE_COHORT,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> c.progressState() == MachineProgressState.AWAITING_RETRY
                        || c.rollout().closedCohort(c.machine()) == null,
                FailureCohortGate::explain);
    }

    private static ClosedGate explain(StartCandidate c) {
        FailureCohort cohort = c.rollout().closedCohort(c.machine());
        if (cohort == null) {
            throw new IllegalStateException("machine " + c.machine().key() + " is in no closed cohort");
        }
        String cohortName = cohort.dimension() + " " + cohort.value();
        return new ClosedGate(
                GateLabel.FAILURE_COHORT,
                cohort.failed() + " of " + cohort.ended() + " failed",
                "fewer failures of " + cohortName,
                cohort.failed() + " of " + cohort.ended() + " machines with " + cohortName
                        + " failed in this campaign, so no more of them start; other machines continue.");
    }
}
