package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Creates deciders whose decisions have no size limit, or that park nothing. */
final class BrokenDeciderFactory {
    private BrokenDeciderFactory() {}

    /** Journals a policy once for every machine that it applies to. */
    static Decider repeatPolicyPerMachine() {
        Decider real = FleetDecider.standard();
        return (state, input) -> {
            Decision decision = real.decide(state, input);
            return input instanceof DecisionInput.RecordReceived recordReceived
                            && recordReceived.change() instanceof UpgradePolicy policy
                            && !decision.isNothing()
                    ? withAll(decision, policy, state.machines())
                    : decision;
        };
    }

    static Decider ignoreParking() {
        Decider real = FleetDecider.standard();
        return (state, input) ->
                input instanceof DecisionInput.SubjectParked ? Decision.NOTHING : real.decide(state, input);
    }

    private static Decision withAll(Decision decision, UpgradePolicy policy, int machines) {
        List<RowChange> facts = new ArrayList<>(Collections.nCopies(machines, policy));
        facts.addAll(decision.changes());
        return DecisionRewriter.of(decision, facts);
    }
}
