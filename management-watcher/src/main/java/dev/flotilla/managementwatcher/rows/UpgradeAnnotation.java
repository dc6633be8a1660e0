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
 * An annotation that requests an upgrade of an object.
 *
 * @param key key of the annotation
 * @param problem what is wrong with the value, and what is allowed; null for a valid one
 */
public record UpgradeAnnotation(
        String key, String value, @Nullable String problem) {
    private static final String POOL_PROBLEM =
            "cannot be used on a MachinePool, because its infrastructure provider decides what its machines run;"
                    + " annotate a MachineDeployment, a CK8sControlPlane, a Machine or a Cluster";

    /**
     * Reads the request for an object; null for none. A MachineDeployment copies its annotations to its MachineSets,
     * where they request nothing. A machine that has joined an owner gets the owner's default release.
     *
     * @param owner owner of a machine; null for none
     */
    public static @Nullable UpgradeAnnotation readFrom(
            ObjectView objectView, @Nullable OwnerView owner, SiteMode mode) {
        UpgradeAnnotation written = readWritten(objectView, mode);
        if (written != null || !(objectView instanceof MachineView machine) || owner == null) {
            return written;
        }
        String defaultRelease = owner.annotations().defaultRelease();
        boolean joined = machine.node() != null
                && !machine.deleting()
                && machine.annotations().release() == null
                && machine.annotations().upgradeTo() == null
                && !machine.annotations().isChangeForeign();
        return joined && defaultRelease != null && UpgradeTarget.problemOf(defaultRelease) == null
                ? new UpgradeAnnotation(WatcherAnnotationKeys.DEFAULT_RELEASE, defaultRelease, null)
                : null;
    }

    private static @Nullable UpgradeAnnotation readWritten(ObjectView objectView, SiteMode mode) {
        if (objectView instanceof OwnerView owner && !owner.topLevel()) {
            return null;
        }
        ObjectAnnotations objectAnnotations = objectView.annotations();
        boolean onPool = objectView instanceof OwnerView owner && owner.key().kind() == OwnerKind.MACHINE_POOL;
        boolean providerKeyCounts = mode == SiteMode.DIRECT || objectView instanceof ClusterView || onPool;
        String key = providerKeyCounts && objectAnnotations.upgradeTo() != null
                ? WatcherAnnotationKeys.UPGRADE_TO
                : WatcherAnnotationKeys.OUR_UPGRADE_TO;
        String value = key.equals(WatcherAnnotationKeys.UPGRADE_TO)
                ? objectAnnotations.upgradeTo()
                : objectAnnotations.ourUpgradeTo();
        return value == null
                ? null
                : new UpgradeAnnotation(key, value, onPool ? POOL_PROBLEM : UpgradeTarget.problemOf(value));
    }

    /** Returns this annotation, with a problem if its local path is not below one of these directories. */
    public UpgradeAnnotation checkLocalPath(List<String> localPaths) {
        boolean accepted = problem != null
                || !(UpgradeTarget.parse(value) instanceof UpgradeTarget.LocalPath path)
                || path.isBelow(localPaths);
        return accepted ? this : new UpgradeAnnotation(key, value, describeAllowedPaths(localPaths));
    }

    private static String describeAllowedPaths(List<String> localPaths) {
        return "cannot be used here: a localPath must be below a directory that the site's or the fleet's"
                + " policy lists in intents.localPaths: "
                + (localPaths.isEmpty() ? "none" : String.join(", ", localPaths));
    }

    /** Whether the annotation is on the object itself, and not on its owner. */
    public boolean isOnObject() {
        return !key.equals(WatcherAnnotationKeys.DEFAULT_RELEASE);
    }
}
