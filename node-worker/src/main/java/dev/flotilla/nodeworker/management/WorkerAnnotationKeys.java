package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys of annotations that people and controllers set on a machine. */
final class WorkerAnnotationKeys {
    static final String PAUSED = "cluster.x-k8s.io/paused";
    static final String HOLD = "flotilla.dev/hold";
    static final String OPT_OUT = "flotilla.dev/opt-out";
    static final String UPGRADE_TO = "v1beta2.k8sd.io/in-place-upgrade-to";

    /** Appended to the message about the provider's annotation; `flotilla site check` shows the mode. */
    static final String THEIRS = ", which is the provider's unless the site's mode is direct";

    static final String CHANGE_ID = "v1beta2.k8sd.io/in-place-upgrade-change-id";
    static final String SKIP_REMEDIATION = "cluster.x-k8s.io/skip-remediation";
    static final String SCALE_DOWN_DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    private WorkerAnnotationKeys() {}

    /** Returns why people hold an object back, or that it is being deleted; null for neither. */
    static @Nullable String findHold(KubeObject object, String objectText) {
        if (object.isDeleting()) {
            return objectText + " is being deleted";
        }
        for (String key : List.of(PAUSED, HOLD, OPT_OUT)) {
            if (object.annotation(key) != null) {
                return objectText + " has annotation " + key;
            }
        }
        return null;
    }
}
