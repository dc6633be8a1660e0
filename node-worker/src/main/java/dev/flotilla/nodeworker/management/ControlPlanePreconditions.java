package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a control plane can lose a member now, from the conditions of its owner. A Ready Node says nothing
 * about its datastore.
 */
public final class ControlPlanePreconditions {
    /**
     * Conditions of the members and their datastore. Only False prevents an upgrade, because providers do not set all
     * of them.
     */
    private static final List<String> HEALTH_CONDITIONS =
            List.of("ControlPlaneComponentsHealthy", "EtcdClusterHealthy", "DatastoreHealthy", "Available");

    /** Paths of the conditions in the versions of Cluster API. */
    private static final List<List<String>> CONDITION_PATHS = List.of(
            List.of("status", "conditions"),
            List.of("status", "v1beta2", "conditions"),
            List.of("status", "deprecated", "v1beta1", "conditions"));

    private ControlPlanePreconditions() {}

    /** Returns why not; null if nothing prevents it. The texts are stable: the same cause has the same text. */
    public static @Nullable String findProblem(KubeObject owner) {
        for (List<String> path : CONDITION_PATHS) {
            for (KubeObject condition : owner.list(path.toArray(String[]::new))) {
                String type = condition.text("type");
                if (type != null && HEALTH_CONDITIONS.contains(type) && "False".equals(condition.text("status"))) {
                    String reason = condition.text("reason");
                    return "the control plane is not " + type + (reason == null ? "" : " (" + reason + ")");
                }
            }
        }
        return null;
    }
}
