package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.FailureCohort;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.MachineProgressState;
import dev.flotilla.core.fleet.StartCandidate;

/**
 * Closes one kind of machine whose failures go together. What has failed is tried again all the same: if that helps, the kind
 * is not to blame.
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
            throw new IllegalStateException("the kind of " + c.machine().key() + " is not closed");
        }
        String kind = cohort.dimension() + " " + cohort.value();
        return new ClosedGate(
                GateLabel.FAILURE_COHORT,
                cohort.failed() + " of " + cohort.ended() + " failed",
                "fewer failures of " + kind,
                cohort.failed() + " of " + cohort.ended() + " machines with " + kind
                        + " have failed in this campaign, which closes them; the rest goes on.");
    }
}
