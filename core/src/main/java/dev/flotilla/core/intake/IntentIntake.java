package dev.flotilla.core.intake;

import dev.flotilla.core.attempt.FulfilledTask;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** Accepts upgrade intents of annotations. */
final class IntentIntake {
    /** A local path installs an unsigned file as root. */
    private static final String LOCAL_PATH =
            "localPath is allowed only below the directories in the policy's intents.localPaths";

    private IntentIntake() {}

    static Decision acceptIntent(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, UpgradeIntent row) {
        List<MachineView> machines = draft.state().machinesOf(row.object());
        boolean isApplicable = SiteIntentsRollout.isApplicable(row.target(), machines);
        if (row.equals(draft.state().intent(row.object())) && draft.state().allowsIntent(row) && isApplicable) {
            return Decision.NOTHING;
        }
        if (row.target() instanceof UpgradeTarget.LocalPath
                || row.task() != null
                || !draft.state().allowsIntent(row)
                || !isApplicable) {
            SiteRulesNotifier.notifySite(draft, row.object().site());
        }
        UpgradePolicy.IntentRule rule = draft.state().intentRule(row.object().site());
        if (rule.allowsPath(row.target()) && !rule.allows(row.target())) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    "target",
                    row.target().text(),
                    "the policy allows annotations only the targets " + String.join(", ", rule.targetPatterns())
                            + " (intents.targets)");
        }
        if (!draft.state().allowsIntent(row)) {
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    "target",
                    row.target().text(),
                    LOCAL_PATH);
        }
        if (!isApplicable) {
            UpgradeProvider provider = machines.get(0).provider();
            return InputRejection.reject(
                    draft,
                    recordReceived,
                    RejectionReason.NOT_SUPPORTED,
                    "target",
                    row.target().text(),
                    "the provider of " + machines.get(0).key() + " is " + provider.label() + ", which applies "
                            + provider.targets()
                            + ": annotate it with such a target, or correct its provider in the policy (providers)");
        }
        for (MachineView machine : machines) {
            MachineStatus fulfilled = FulfilledTask.byLastAttempt(draft.state(), row, machine);
            if (fulfilled != null) {
                draft.write(fulfilled);
            }
        }
        return draft.write(row)
                .build(DecisionEvent.INTENT_CHANGED, row.object(), row.target().text());
    }

    static Decision removeIntent(DecisionBuilder draft, Tombstone tombstone, ObjectKey object) {
        return draft.state().intent(object) == null
                ? Decision.NOTHING
                : draft.write(tombstone).build(DecisionEvent.INTENT_CHANGED, object, "removed");
    }
}
