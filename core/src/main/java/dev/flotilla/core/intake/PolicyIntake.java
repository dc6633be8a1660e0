package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Table;

/** The rules of the fleet and of sites. The newest that can be read is kept with our own rows. */
final class PolicyIntake {
    private PolicyIntake() {}

    static Decision put(Draft draft, Policy row) {
        if (row.equals(draft.state().policy(row.scope()))) {
            return Decision.NOTHING;
        }
        draft.write(row).write(new AcceptedPolicy(row));
        return draft.decide(Event.POLICY_ACCEPTED, row.scope(), "");
    }

    static Decision remove(Draft draft, Input.Arrived arrived, Gone gone, Scope scope) {
        Policy known = draft.state().policy(scope);
        if (known == null) {
            return Decision.NOTHING;
        }
        if (known.frozen()) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.CONTRADICTION,
                    "",
                    "",
                    "a tombstone lifts no freeze: write the policy of " + scope + " without its freeze first");
        }
        draft.write(gone).remove(Table.CAMPAIGN_STATUS, scope);
        return draft.decide(Event.POLICY_REMOVED, scope, "");
    }
}
