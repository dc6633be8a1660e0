package dev.flotilla.clusterapi.update;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Aborts the open tasks of Machines that are gone, are being deleted or are not updated in place any more: Cluster API calls no hook to say
 * so. Every replica does it; an abort that is repeated changes nothing.
 */
public final class OrphanedTaskAborter {
    private static final String TASKS = "flotilla.dev/v1alpha1";

    /** From how many open tasks on the Machines of a cluster are listed instead of read one by one. */
    private static final int LISTED_FROM = 8;

    private final KubeApiClient api;
    private final MachineReader machineReader;

    private record Cluster(String namespace, String name) {
        static Cluster of(KubeObject task) {
            return new Cluster(task.namespace(), String.valueOf(task.text("spec", "clusterName")));
        }
    }

    public OrphanedTaskAborter(KubeApiClient api, MachineReader machineReader) {
        this.api = api;
        this.machineReader = machineReader;
    }

    /** Looks at open tasks. Returns the names of those that it has aborted. */
    public List<String> abortOrphans(List<KubeObject> open) {
        Map<Cluster, List<KubeObject>> byCluster = new LinkedHashMap<>();
        open.forEach(task -> byCluster
                .computeIfAbsent(Cluster.of(task), cluster -> new ArrayList<>())
                .add(task));
        List<String> aborted = new ArrayList<>();
        byCluster.forEach((cluster, tasks) -> withoutUpdating(cluster, tasks).stream()
                .filter(task -> isOrphaned(task) && abort(task))
                .forEach(task -> aborted.add(task.namespace() + "/" + task.name())));
        return aborted;
    }

    /** Leaves out the tasks of Machines that a list shows to be updated: a request for each of a thousand would delay the hooks. */
    private List<KubeObject> withoutUpdating(Cluster cluster, List<KubeObject> tasks) {
        if (tasks.size() < LISTED_FROM) {
            return tasks;
        }
        Set<String> updating = machineReader.listUpdating(cluster.namespace(), cluster.name());
        return updating == null
                ? List.of()
                : tasks.stream()
                        .filter(task -> !updating.contains(String.valueOf(task.label(MachineTask.MACHINE_UID))))
                        .toList();
    }

    /** A Machine that cannot be read may still be updated. A task that names no Machine is none of the extension's. */
    private boolean isOrphaned(KubeObject task) {
        if (NameValidator.problemOfSubdomain(OpenTaskLister.machineOf(task)) != null) {
            return false;
        }
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
