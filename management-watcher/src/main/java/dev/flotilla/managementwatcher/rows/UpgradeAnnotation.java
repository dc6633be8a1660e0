package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
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
public record UpgradeAnnotation(
        String key, String value, @Nullable String problem) {
    private static final String NO_POOLS =
            "cannot be followed here: what a MachinePool's machines run is its provider's to say; annotate a"
                    + " MachineDeployment, a CK8sControlPlane, a Machine or a Cluster";

    /**
     * What is asked for of an object; null for nothing. A MachineDeployment's MachineSets bear its annotations too, and ask for
     * nothing themselves. A machine that has joined an owner is to be what the owner's others are.
     *
     * @param owner of a machine; null where nothing owns it
     */
    public static @Nullable UpgradeAnnotation readFrom(
            ObjectView objectView, @Nullable OwnerView owner, SiteMode mode) {
        UpgradeAnnotation written = written(objectView, mode);
        if (written != null || !(objectView instanceof MachineView machine) || owner == null) {
            return written;
        }
        String standing = owner.notes().defaultRelease();
        boolean joined = machine.node() != null
                && !machine.deleting()
                && machine.notes().release() == null
                && machine.notes().upgradeTo() == null
                && !machine.notes().isChangeForeign();
        return joined && standing != null && UpgradeTarget.problemOf(standing) == null
                ? new UpgradeAnnotation(WatcherAnnotationKeys.STANDING_RELEASE, standing, null)
                : null;
    }

    private static @Nullable UpgradeAnnotation written(ObjectView objectView, SiteMode mode) {
        if (objectView instanceof OwnerView owner && !owner.topLevel()) {
            return null;
        }
        ObjectAnnotations objectAnnotations = objectView.notes();
        boolean pool = objectView instanceof OwnerView owner && owner.key().kind() == OwnerKind.MACHINE_POOL;
        boolean documented = mode == SiteMode.DIRECT || objectView instanceof ClusterView || pool;
        String key = documented && objectAnnotations.upgradeTo() != null
                ? WatcherAnnotationKeys.UPGRADE_TO
                : WatcherAnnotationKeys.OUR_UPGRADE_TO;
        String value = key.equals(WatcherAnnotationKeys.UPGRADE_TO)
                ? objectAnnotations.upgradeTo()
                : objectAnnotations.ourUpgradeTo();
        return value == null
                ? null
                : new UpgradeAnnotation(key, value, pool ? NO_POOLS : UpgradeTarget.problemOf(value));
    }

    /** The same where it may point to files below these directories alone. */
    public UpgradeAnnotation checkLocalPath(List<String> localPaths) {
        boolean followed = problem != null
                || !(UpgradeTarget.parse(value) instanceof UpgradeTarget.LocalPath path)
                || path.isBelow(localPaths);
        return followed ? this : new UpgradeAnnotation(key, value, elsewhere(localPaths));
    }

    private static String elsewhere(List<String> localPaths) {
        return "cannot be followed here: localPath is off but below the directories that the policy of the site or of the"
                + " fleet names in intents.localPaths: "
                + (localPaths.isEmpty() ? "none" : String.join(", ", localPaths));
    }

    /** Whether it stands on the object itself. */
    public boolean isOnObject() {
        return !key.equals(WatcherAnnotationKeys.STANDING_RELEASE);
    }
}
