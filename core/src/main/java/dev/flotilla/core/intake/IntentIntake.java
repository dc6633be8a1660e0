package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradeOption;

/** What annotations ask for. */
final class IntentIntake {
    /** It installs an unsigned file as root. */
    private static final String LOCAL_PATH =
            "localPath is off but below the directories that the policy names: intents.localPaths";

    private IntentIntake() {}

    static Decision put(Draft draft, Input.Arrived arrived, Intent row) {
        if (row.equals(draft.state().intent(row.object())) && draft.state().allows(row)) {
            return Decision.NOTHING;
        }
        if (row.option() instanceof UpgradeOption.LocalPath) {
            LocalPaths.tell(draft, row.object().site());
        }
        Policy.IntentRule rule = draft.state().intentRule(row.object().site());
        if (rule.allowsPath(row.option()) && !rule.allows(row.option())) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.NOT_SUPPORTED,
                    "option",
                    row.option().text(),
                    "the policy allows annotations to ask for " + String.join(", ", rule.targets())
                            + " (intents.targets)");
        }
        if (!draft.state().allows(row)) {
            return Intake.refuse(
                    draft,
                    arrived,
                    RejectionReason.NOT_SUPPORTED,
                    "option",
                    row.option().text(),
                    LOCAL_PATH);
        }
        return draft.write(row)
                .decide(Event.INTENT_CHANGED, row.object(), row.option().text());
    }

    static Decision remove(Draft draft, Gone gone, ObjectKey object) {
        return draft.state().intent(object) == null
                ? Decision.NOTHING
                : draft.write(gone).decide(Event.INTENT_CHANGED, object, "removed");
    }
}
