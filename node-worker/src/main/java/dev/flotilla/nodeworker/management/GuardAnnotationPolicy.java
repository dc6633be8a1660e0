package dev.flotilla.nodeworker.management;

import dev.flotilla.schemas.kube.AnnotationKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * The annotations that keep controllers away from a machine during its upgrade.
 *
 * @param skipRemediation keeps a health check from replacing a machine because its node restarts
 * @param disableScaleDown keeps the autoscaler from removing it
 */
public record GuardAnnotationPolicy(boolean skipRemediation, boolean disableScaleDown) {
    public static final GuardAnnotationPolicy DEFAULT = new GuardAnnotationPolicy(true, false);

    /**
     * Returns the annotations.
     *
     * @param holdsTermination whether a deleted machine stays until the attempt has ended
     */
    List<String> annotations(boolean holdsTermination) {
        List<String> annotations = new ArrayList<>();
        if (skipRemediation) {
            annotations.add(AnnotationKeys.SKIP_REMEDIATION);
        }
        if (disableScaleDown) {
            annotations.add(AnnotationKeys.SCALE_DOWN_DISABLED);
        }
        if (holdsTermination) {
            annotations.add(AnnotationKeys.TERMINATION_HOOK);
        }
        return annotations;
    }

    static String value(String annotation) {
        return switch (annotation) {
            case AnnotationKeys.SCALE_DOWN_DISABLED -> "true";
            // The name of the controller that removes the hook.
            case AnnotationKeys.TERMINATION_HOOK -> "flotilla";
            default -> "";
        };
    }
}
