package dev.flotilla.nodeworker.management;

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

    /** Annotations that an attempt can have set. Others that an attempt annotation names are not removed. */
    static final List<String> EVER =
            List.of(WorkerAnnotationKeys.SKIP_REMEDIATION, WorkerAnnotationKeys.SCALE_DOWN_DISABLED);

    List<String> annotations() {
        List<String> annotations = new ArrayList<>();
        if (skipRemediation) {
            annotations.add(WorkerAnnotationKeys.SKIP_REMEDIATION);
        }
        if (disableScaleDown) {
            annotations.add(WorkerAnnotationKeys.SCALE_DOWN_DISABLED);
        }
        return annotations;
    }

    static String value(String annotation) {
        return annotation.equals(WorkerAnnotationKeys.SCALE_DOWN_DISABLED) ? "true" : "";
    }
}
