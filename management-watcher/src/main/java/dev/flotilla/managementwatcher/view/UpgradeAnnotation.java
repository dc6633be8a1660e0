package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An annotation that requests an upgrade of an object. A target that only the policy rejects is an intent all the same:
 * the orchestrator starts it once a policy allows it.
 *
 * @param key key of the annotation
 * @param target the requested target; null if the value is none
 * @param problem why the request is rejected, and what is allowed; null if it is accepted
 */
public record UpgradeAnnotation(
        String key,
        String value,
        @Nullable UpgradeTarget target,
        @Nullable String problem) {
    private static final String POOL_PROBLEM =
            "cannot be used on a MachinePool, because its infrastructure provider decides what its machines run;"
                    + " annotate a MachineDeployment, a CK8sControlPlane, a Machine or a Cluster";

    /** Returns the annotation with this key and value; what the policy allows is not checked. */
    public static UpgradeAnnotation of(String key, String value) {
        String problem = UpgradeTarget.problemOf(value);
        return new UpgradeAnnotation(key, value, problem == null ? UpgradeTarget.parse(value) : null, problem);
    }

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
                ? of(AnnotationKeys.DEFAULT_RELEASE, defaultRelease)
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
                ? AnnotationKeys.UPGRADE_TO
                : AnnotationKeys.OUR_UPGRADE_TO;
        String value = key.equals(AnnotationKeys.UPGRADE_TO)
                ? objectAnnotations.upgradeTo()
                : objectAnnotations.ourUpgradeTo();
        if (value == null) {
            return null;
        }
        return onPool ? new UpgradeAnnotation(key, value, null, POOL_PROBLEM) : of(key, value);
    }

    /** Returns this annotation, with a problem if the policies do not allow its target. */
    public UpgradeAnnotation checkRules(SiteAnnotationRules rules) {
        if (target instanceof UpgradeTarget.LocalPath path && !path.isBelow(rules.localPaths())) {
            return withProblem(describeAllowedPaths(rules.localPaths()));
        }
        return target == null || target.matches(rules.targetPatterns())
                ? this
                : withProblem("cannot be used here: the site's or the fleet's policy allows only these targets in"
                        + " intents.targets: " + String.join(", ", rules.targetPatterns()));
    }

    /** Returns this annotation, rejected for a reason. */
    public UpgradeAnnotation withProblem(String reason) {
        return new UpgradeAnnotation(key, value, target, reason);
    }

    private static String describeAllowedPaths(List<String> localPaths) {
        return "cannot be used here: a localPath must be below a directory that the site's or the fleet's"
                + " policy lists in intents.localPaths: "
                + (localPaths.isEmpty() ? "none" : String.join(", ", localPaths));
    }

    /** Whether the annotation is on the object itself, and not on its owner. */
    public boolean isOnObject() {
        return !key.equals(AnnotationKeys.DEFAULT_RELEASE);
    }
}
