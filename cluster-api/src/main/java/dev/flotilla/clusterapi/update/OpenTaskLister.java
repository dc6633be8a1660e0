package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.List;

/** Lists the open UpgradeTasks that this extension has created: those of one Machine that have not ended and are not aborted. */
public final class OpenTaskLister {
    private static final String TASKS = "flotilla.dev/v1alpha1";
    private static final int MAX_TASKS = 100_000;

    private final KubeApiClient api;

    public OpenTaskLister(KubeApiClient api) {
        this.api = api;
    }

    /** The tasks, or why they cannot be listed. */
    public sealed interface TaskListResult {
        /** The open tasks. */
        record TasksListed(List<KubeObject> open) implements TaskListResult {
            public TasksListed {
                open = List.copyOf(open);
            }
        }

        /** They cannot be listed. */
        record TasksUnreadable(String problem) implements TaskListResult {}
    }

    /** Lists them. */
    public TaskListResult list() {
        List<KubeObject> open = new ArrayList<>();
        String problem = api.forEachObject(
                KubeApiPath.listPath(TASKS, "upgradetasks"),
                "&labelSelector=" + KubeApiPath.encodeQueryValue(MachineTask.MACHINE_UID),
                MAX_TASKS,
                task -> {
                    if (!task.texts("spec", "machines").isEmpty() && isOpen(task)) {
                        open.add(task);
                    }
                });
        return problem == null
                ? new TaskListResult.TasksListed(open)
                : new TaskListResult.TasksUnreadable("the UpgradeTasks cannot be listed: " + problem);
    }

    private static boolean isOpen(KubeObject task) {
        MachineTask read = MachineTask.of(task, machineOf(task));
        return !read.isFinished() && !read.aborting();
    }

    /** Returns the name of the Machine of a listed task. */
    static String machineOf(KubeObject task) {
        return task.texts("spec", "machines").getFirst();
    }
}
