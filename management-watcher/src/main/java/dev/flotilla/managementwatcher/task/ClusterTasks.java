package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The UpgradeTasks that name one cluster, and its machines.
 *
 * @param clusterExists whether there is a Cluster of this name
 * @param controlPlaneReplicas how many control-plane machines the cluster should have
 * @param rules what the policies allow in the site; null while that is not known
 * @param siteReason why all intents of the site wait, as gate and text; null for nothing
 */
public record ClusterTasks(
        List<UpgradeTaskView> tasks,
        List<TaskMachine> machines,
        boolean clusterExists,
        int controlPlaneReplicas,
        @Nullable SiteAnnotationRules rules,
        @Nullable String siteReason,
        Instant now) {
    public ClusterTasks {
        tasks = List.copyOf(tasks);
        machines = List.copyOf(machines);
    }
}
