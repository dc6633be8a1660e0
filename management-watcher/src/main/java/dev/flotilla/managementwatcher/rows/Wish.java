package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.row.UpgradeOption;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wrote on an object to have it upgraded.
 *
 * @param key of the annotation in which it stands
 */
public record Wish(String key, String value) {

    /**
     * What stands on an object; null for nothing. A MachineDeployment's MachineSets bear its annotations too, and ask for nothing
     * themselves.
     */
    public static @Nullable Wish of(View view, Mode mode) {
        if (view instanceof OwnerView owner && !owner.standing()) {
            return null;
        }
        Notes notes = view.notes();
        boolean documented = mode == Mode.DIRECT || view instanceof ClusterView;
        if (documented && notes.upgradeTo() != null) {
            return new Wish(Wording.UPGRADE_TO, notes.upgradeTo());
        }
        return mode != Mode.DIRECT && notes.ourUpgradeTo() != null
                ? new Wish(Wording.OUR_UPGRADE_TO, notes.ourUpgradeTo())
                : null;
    }

    /** What is wrong with it; null where it can be followed. */
    public @Nullable String problem() {
        return UpgradeOption.problemOf(value);
    }
}
