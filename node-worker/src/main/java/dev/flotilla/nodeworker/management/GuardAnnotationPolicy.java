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

    List<String> annotations() {
        List<String> annotations = new ArrayList<>();
        if (skipRemediation) {
            annotations.add(AnnotationKeys.SKIP_REMEDIATION);
        }
        if (disableScaleDown) {
            annotations.add(AnnotationKeys.SCALE_DOWN_DISABLED);
        }
        return annotations;
    }

    static String value(String annotation) {
        return annotation.equals(AnnotationKeys.SCALE_DOWN_DISABLED) ? "true" : "";
    }
}
