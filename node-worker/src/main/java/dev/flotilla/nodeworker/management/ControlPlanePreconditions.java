package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a control plane, as its owner says now, can bear to lose a member. A Node that is Ready says nothing of its datastore. */
public final class ControlPlanePreconditions {
    /** What providers say of members and of their datastore. Only False speaks against it: not each provider says each. */
    private static final List<String> SOUND =
            List.of("ControlPlaneComponentsHealthy", "EtcdClusterHealthy", "DatastoreHealthy", "Available");

    /** Where Cluster API's versions keep conditions. */
    private static final List<List<String>> KEPT = List.of(
            List.of("status", "conditions"),
            List.of("status", "v1beta2", "conditions"),
            List.of("status", "deprecated", "v1beta1", "conditions"));

    private ControlPlanePreconditions() {}

    /** What speaks against it; null where nothing does. The texts are stable: the same cause reads the same. */
    public static @Nullable String findProblem(KubeObject owner) {
        for (List<String> path : KEPT) {
            for (KubeObject condition : owner.list(path.toArray(String[]::new))) {
                String type = condition.text("type");
                if (type != null && SOUND.contains(type) && "False".equals(condition.text("status"))) {
                    String reason = condition.text("reason");
                    return "the control plane is not " + type + (reason == null ? "" : " (" + reason + ")");
                }
            }
        }
        return null;
    }
}
