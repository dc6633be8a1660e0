package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradePolicy;

/** The rules of the fleet and of sites. The newest that can be read is kept with our own rows. */
final class PolicyIntake {
    private PolicyIntake() {}

    static Decision put(DecisionBuilder draft, UpgradePolicy row) {
        if (row.equals(draft.state().policy(row.scope()))) {
            return Decision.NOTHING;
        }
        draft.write(row).write(new LastAcceptedPolicy(row));
        return draft.build(DecisionEvent.POLICY_ACCEPTED, row.scope(), "");
    }

    /**
     * A tombstone says nothing of what is to hold instead, and everything that a policy limits would be without limits: the
     * accepted one stays.
     */
    static Decision remove(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, PolicyScope scope) {
        if (draft.state().isUnreadable(recordReceived.change().rowKey())) {
            return InputRowIntake.keepUnreadable(
                    draft,
                    recordReceived,
                    "a tombstone opens nothing that an unreadable policy has closed: write a policy of " + scope);
        }
        return draft.state().policy(scope) == null
                ? Decision.NOTHING
                : InputRowIntake.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "",
                        "",
                        "a tombstone lifts no limit, window or freeze: the accepted policy of " + scope
                                + " stays. Write one with what is to hold instead");
    }
}
