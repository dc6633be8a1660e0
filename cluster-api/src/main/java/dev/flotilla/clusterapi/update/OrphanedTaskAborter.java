package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.List;

/**
 * Aborts the open tasks of Machines that are gone, are being deleted or are not updated in place any more: Cluster API calls no hook to say
 * so. Every replica does it; an abort that is repeated changes nothing.
 */
public final class OrphanedTaskAborter {
    private static final String TASKS = "flotilla.dev/v1alpha1";

    private final KubeApiClient api;
    private final MachineReader machineReader;

    public OrphanedTaskAborter(KubeApiClient api, MachineReader machineReader) {
        this.api = api;
        this.machineReader = machineReader;
    }

    /** Looks at open tasks. Returns the names of those that it has aborted. */
    public List<String> abortOrphans(List<KubeObject> open) {
        return open.stream()
                .filter(task -> isOrphaned(task) && abort(task))
                .map(task -> task.namespace() + "/" + task.name())
                .toList();
    }

    /** A Machine that cannot be read may still be updated. */
    private boolean isOrphaned(KubeObject task) {
        return switch (machineReader.read(task.namespace(), OpenTaskLister.machineOf(task))) {
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
