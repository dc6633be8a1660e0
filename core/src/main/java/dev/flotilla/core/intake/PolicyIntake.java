package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradePolicy;

/** Accepts policies of the fleet and of sites. The newest readable policy is also kept among our own rows. */
final class PolicyIntake {
    private PolicyIntake() {}

    static Decision acceptPolicy(DecisionBuilder draft, UpgradePolicy row) {
        if (row.equals(draft.state().policy(row.scope()))) {
            return Decision.NOTHING;
        }
        draft.write(row).write(new LastAcceptedPolicy(row));
        return draft.build(DecisionEvent.POLICY_ACCEPTED, row.scope(), "");
    }

    /** Rejects the deletion of a policy, which would remove all its limits: the accepted policy stays in force. */
    static Decision removePolicy(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, PolicyScope scope) {
        if (draft.state().isUnreadable(recordReceived.change().rowKey())) {
            return InputRejection.keepUnreadable(
                    draft,
                    recordReceived,
                    "a tombstone does not replace an unreadable policy: write a policy of " + scope);
        }
        return draft.state().policy(scope) == null
                ? Decision.NOTHING
                : InputRejection.reject(
                        draft,
                        recordReceived,
                        RejectionReason.CONTRADICTION,
                        "",
                        "",
                        "a tombstone does not remove a policy: the accepted policy of " + scope
                                + " stays in force. Write a new policy instead");
    }
}
