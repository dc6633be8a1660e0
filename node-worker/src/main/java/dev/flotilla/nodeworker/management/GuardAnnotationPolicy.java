package dev.flotilla.nodeworker.management;

import java.util.ArrayList;
import java.util.List;

/**
 * What keeps controllers off a machine while it is upgraded.
 *
 * @param skipRemediation a health check must not replace a machine because its node restarts
 * @param disableScaleDown the autoscaler must not choose it
 */
public record GuardAnnotationPolicy(boolean skipRemediation, boolean disableScaleDown) {
    public static final GuardAnnotationPolicy DEFAULT = new GuardAnnotationPolicy(true, false);

    /** Whatever an attempt may have set: a mark that names more is not believed. */
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
