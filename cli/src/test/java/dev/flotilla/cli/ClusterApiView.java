package dev.flotilla.cli;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a management cluster shows of the clusters of Cluster API, and of Flotilla's objects. */
record ClusterApiView(KubeApiClient api) {
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    private static final String DEPLOYMENTS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments/";
    private static final String CONTROL_PLANES =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes/";
    private static final String BOOTSTRAP = "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/";
    private static final String FLOTILLA = "/apis/flotilla.dev/v1alpha1/namespaces/default/";

    /** All machines. */
    List<KubeObject> machines() {
        return list(MACHINES);
    }

    /** Whether a cluster has so many machines, and all of them are ready, up to date, at a version and counted. */
    boolean isAt(String cluster, String version, int count) {
        return isUpdatedTo(cluster, version, count)
                && machines(cluster).stream().allMatch(machine -> machine.isCondition("Ready", "True"))
                && areWorkersCounted(cluster);
    }

    /** Whether the MachineDeployment counts all workers. Before, Cluster API would replace some of them after an edit. */
    private boolean areWorkersCounted(String cluster) {
        long workers = workers(cluster).size();
        return workers == 0
                || Long.valueOf(workers)
                        .equals(read(DEPLOYMENTS + cluster + "-workers").number("status", "replicas"));
    }

    /** Whether a cluster has so many machines, and each is up to date and its node at a version, Ready or not. */
    boolean isUpdatedTo(String cluster, String version, int count) {
        List<KubeObject> machines = machines(cluster);
        return machines.size() == count
                && machines.stream()
                        .allMatch(machine -> machine.isCondition("UpToDate", "True")
                                && !isUpdating(machine)
                                && version.equals(machine.text("status", "nodeInfo", "kubeletVersion")));
    }

    /** Whether each machine's bootstrap object has a content in its file. */
    boolean haveFile(String cluster, String content) {
        return machines(cluster).stream()
                .allMatch(machine -> KubeObject.toJsonText(read(BOOTSTRAP + "kubeadmconfigs/"
                                        + machine.text("spec", "bootstrap", "configRef", "name"))
                                .json())
                        .contains("\"content\":\"" + content + "\""));
    }

    /** Whether all workers of a cluster are ready and at a version. */
    boolean areWorkersAt(String cluster, String version) {
        List<KubeObject> workers = workers(cluster);
        return !workers.isEmpty() && areReadyAt(workers, version);
    }

    /** Whether a cluster has so many workers, all of them ready and at a version. */
    boolean areWorkersAt(String cluster, int count, String version) {
        List<KubeObject> workers = workers(cluster);
        return workers.size() == count && areReadyAt(workers, version);
    }

    /** Whether all members of a cluster's control plane are ready and at a version. */
    boolean isControlPlaneAt(String cluster, String version) {
        return areReadyAt(
                machines(cluster).stream()
                        .filter(machine -> machine.name().startsWith(cluster + "-control-plane"))
                        .toList(),
                version);
    }

    private List<KubeObject> workers(String cluster) {
        return machines(cluster).stream()
                .filter(machine -> machine.name().startsWith(cluster + "-workers"))
                .toList();
    }

    private static boolean areReadyAt(List<KubeObject> machines, String version) {
        return machines.stream()
                .allMatch(machine -> version.equals(machine.text("status", "nodeInfo", "kubeletVersion"))
                        && !MachineTranscript.isUpdating(machine)
                        && machine.isCondition("Ready", "True"));
    }

    List<KubeObject> machines(String cluster) {
        return machines().stream()
                .filter(machine -> machine.name().startsWith(cluster + "-"))
                .toList();
    }

    /** Returns the machines of a cluster by name, with their uids. */
    Map<String, String> uids(String cluster) {
        Map<String, String> uids = new TreeMap<>();
        machines(cluster).forEach(machine -> uids.put(machine.name(), machine.uid()));
        return uids;
    }

    /** Returns how many NodeUpgrades there were for each machine of a cluster. */
    Map<String, Integer> upgradesOf(String cluster) {
        Map<String, Integer> upgrades = new TreeMap<>();
        nodeUpgrades().forEach(each -> {
            String machine = each.text("spec", "machine", "name");
            if (machine != null && machine.startsWith(cluster + "-")) {
                upgrades.merge(machine, 1, Integer::sum);
            }
        });
        return upgrades;
    }

    List<KubeObject> nodeUpgrades() {
        return list(FLOTILLA + "nodeupgrades");
    }

    /** Returns the version that the control plane of a cluster is to have. */
    String controlPlaneVersion(String cluster) {
        return String.valueOf(read(CONTROL_PLANES + cluster + "-control-plane").text("spec", "version"));
    }

    List<KubeObject> tasks(String cluster) {
        return list(FLOTILLA + "upgradetasks").stream()
                .filter(task -> task.name().startsWith(cluster + "-"))
                .toList();
    }

    /** The tasks of one machine. */
    List<KubeObject> tasksOf(KubeObject machine) {
        return list(FLOTILLA + "upgradetasks").stream()
                .filter(task -> task.texts("spec", "machines").contains(machine.name()))
                .toList();
    }

    /** Whether a machine is being updated as Cluster API sees it. */
    boolean isUpdating(KubeObject machine) {
        return MachineTranscript.isUpdating(machine);
    }

    boolean exists(KubeObject machine) {
        return machines().stream().anyMatch(each -> each.uid().equals(machine.uid()));
    }

    List<KubeObject> list(String path) {
        return api.get(path) instanceof KubeResponse.SuccessResponse list
                ? list.object().list("items")
                : List.of();
    }

    KubeObject read(String path) {
        return api.get(path) instanceof KubeResponse.SuccessResponse found ? found.object() : KubeObject.EMPTY;
    }
}
