package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.Amendment.Draft;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.Wording;

/**
 * An owner that was annotated before the policy kept the documented key from the provider's controllers. They mark its machines
 * again and again, each mark is renamed, and nobody goes on. So the owner's key is renamed too: the machine that they are at is
 * theirs until it is done, and the others follow ours.
 */
final class TakeOver {
    private TakeOver() {}

    static Amendment of(OwnerView owner) {
        String option = String.valueOf(owner.notes().upgradeTo());
        Draft draft = new Draft()
                .want(Wording.UPGRADE_TO, null, option)
                .want(Wording.OUR_UPGRADE_TO, option, owner.notes().ourUpgradeTo());
        return new Amendment(
                owner.key(), owner.uid(), owner.version(), draft.annotations(), Happened.takenOver(option));
    }
}
