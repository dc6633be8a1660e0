package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.Notes;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wrote to have an object upgraded.
 *
 * @param key of the annotation in which it stands
 * @param problem what is wrong with it, and what is allowed; null where it can be followed
 */
public record Wish(String key, String value, @Nullable String problem) {
    private static final String NO_POOLS =
            "cannot be followed here: what a MachinePool's machines run is its provider's to say; annotate a"
                    + " MachineDeployment, a CK8sControlPlane, a Machine or a Cluster";

    /**
     * What is asked for of an object; null for nothing. A MachineDeployment's MachineSets bear its annotations too, and ask for
     * nothing themselves. A machine that has joined an owner is to be what the owner's others are.
     *
     * @param owner of a machine; null where nothing owns it
     */
    public static @Nullable Wish of(View view, @Nullable OwnerView owner, SiteMode mode) {
        Wish written = written(view, mode);
        if (written != null || !(view instanceof MachineView machine) || owner == null) {
            return written;
        }
        String standing = owner.notes().standing();
        boolean joined = machine.node() != null
                && !machine.deleting()
                && machine.notes().release() == null
                && machine.notes().upgradeTo() == null
                && !machine.notes().isChangeForeign();
        return joined && standing != null && UpgradeTarget.problemOf(standing) == null
                ? new Wish(Wording.STANDING_RELEASE, standing, null)
                : null;
    }

    private static @Nullable Wish written(View view, SiteMode mode) {
        if (view instanceof OwnerView owner && !owner.standing()) {
            return null;
        }
        Notes notes = view.notes();
        boolean pool = view instanceof OwnerView owner && owner.key().kind() == OwnerKind.MACHINE_POOL;
        boolean documented = mode == SiteMode.DIRECT || view instanceof ClusterView || pool;
        String key = documented && notes.upgradeTo() != null ? Wording.UPGRADE_TO : Wording.OUR_UPGRADE_TO;
        String value = key.equals(Wording.UPGRADE_TO) ? notes.upgradeTo() : notes.ourUpgradeTo();
        return value == null ? null : new Wish(key, value, pool ? NO_POOLS : UpgradeTarget.problemOf(value));
    }

    /** The same where it may point to files below these directories alone. */
    public Wish judged(List<String> localPaths) {
        boolean followed = problem != null
                || !(UpgradeTarget.parse(value) instanceof UpgradeTarget.LocalPath path)
                || path.isBelow(localPaths);
        return followed ? this : new Wish(key, value, elsewhere(localPaths));
    }

    private static String elsewhere(List<String> localPaths) {
        return "cannot be followed here: localPath is off but below the directories that the policy of the site or of the"
                + " fleet names in intents.localPaths: "
                + (localPaths.isEmpty() ? "none" : String.join(", ", localPaths));
    }

    /** Whether it stands on the object itself. */
    public boolean isOnObject() {
        return !key.equals(Wording.STANDING_RELEASE);
    }
}
