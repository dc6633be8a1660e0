package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Cohort;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.core.fleet.Standing;

/**
 * Closes one kind of machine whose failures go together. What has failed is tried again all the same: if that helps, the kind
 * is not to blame.
 */
final class CohortGate {
    private CohortGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.COHORT,
                Level.CLUSTER,
                Gate.Hold.NONE,
                c -> c.standing() == Standing.FAILED || c.rollout().closedCohort(c.machine()) == null,
                CohortGate::explain);
    }

    private static Closed explain(Candidate c) {
        Cohort cohort = c.rollout().closedCohort(c.machine());
        if (cohort == null) {
            throw new IllegalStateException("the kind of " + c.machine().key() + " is not closed");
        }
        String kind = cohort.by() + " " + cohort.value();
        return new Closed(
                GateLabel.COHORT,
                cohort.failed() + " of " + cohort.ended() + " failed",
                "fewer failures of " + kind,
                cohort.failed() + " of " + cohort.ended() + " machines with " + kind
                        + " have failed in this campaign, which closes them; the rest goes on.");
    }
}
