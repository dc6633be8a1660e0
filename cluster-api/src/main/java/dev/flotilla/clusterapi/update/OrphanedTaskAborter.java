package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Aborts the open tasks of Machines that are gone, are being deleted or are not updated in place any more: Cluster API calls no hook to say
 * so. Every replica does it; an abort that is repeated changes nothing.
 */
public final class OrphanedTaskAborter {
    private static final String TASKS = "flotilla.dev/v1alpha1";
    private static final int MAX_TASKS = 100_000;

    private final KubeApiClient api;
    private final MachineReader machineReader;

    public OrphanedTaskAborter(KubeApiClient api, MachineReader machineReader) {
        this.api = api;
        this.machineReader = machineReader;
    }

    /** Looks at all open tasks once. Returns the names of those that it has aborted. */
    public List<String> abortOnce() {
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
        List<String> aborted = new ArrayList<>();
        if (problem == null) {
            for (KubeObject task : open) {
                if (isOrphaned(task) && abort(task)) {
                    aborted.add(task.namespace() + "/" + task.name());
                }
            }
        }
        return aborted;
    }

    private static boolean isOpen(KubeObject task) {
        MachineTask read = MachineTask.of(task, task.texts("spec", "machines").getFirst());
        return !read.isFinished() && !read.aborting();
    }

    /** A Machine that cannot be read may still be updated. */
    private boolean isOrphaned(KubeObject task) {
        return switch (machineReader.read(
                task.namespace(), task.texts("spec", "machines").getFirst())) {
            case MachineReader.MachineReadResult.MachineUnreadable unreadable -> false;
            case MachineReader.MachineReadResult.MachineMissing missing -> true;
            case MachineReader.MachineReadResult.MachineFound found ->
                !found.machine().updating()
                        || found.machine().deleting()
                        || !found.machine().uid().equals(task.label(MachineTask.MACHINE_UID));
        };
    }

    private boolean abort(KubeObject task) {
        return api.mergePatch(
                        KubeApiPath.groupObject(TASKS, task.namespace(), "upgradetasks", task.name()),
                        new JsonObjectReader.Builder()
                                .put(
                                        "metadata",
                                        new JsonObjectReader.Builder()
                                                .put("resourceVersion", task.resourceVersion())
                                                .build())
                                .put(
                                        "spec",
                                        new JsonObjectReader.Builder()
                                                .put("phase", "Abort")
                                                .build())
                                .build())
                instanceof KubeResponse.SuccessResponse;
    }
}
