package dev.flotilla.nodeworker.management;

import java.util.ArrayList;
import java.util.List;

/**
 * What keeps controllers off a machine while it is upgraded.
 *
 * @param skipRemediation a health check must not replace a machine because its node restarts
 * @param disableScaleDown the autoscaler must not choose it
 */
public record GuardPolicy(boolean skipRemediation, boolean disableScaleDown) {
    public static final GuardPolicy DEFAULT = new GuardPolicy(true, false);

    /** Whatever an attempt may have set: a mark that names more is not believed. */
    static final List<String> EVER = List.of(Wording.SKIP_REMEDIATION, Wording.SCALE_DOWN_DISABLED);

    List<String> annotations() {
        List<String> annotations = new ArrayList<>();
        if (skipRemediation) {
            annotations.add(Wording.SKIP_REMEDIATION);
        }
        if (disableScaleDown) {
            annotations.add(Wording.SCALE_DOWN_DISABLED);
        }
        return annotations;
    }

    static String value(String annotation) {
        return annotation.equals(Wording.SCALE_DOWN_DISABLED) ? "true" : "";
    }
}
