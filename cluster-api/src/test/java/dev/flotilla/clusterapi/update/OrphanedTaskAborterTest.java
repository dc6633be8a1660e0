package dev.flotilla.clusterapi.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.update.FaultyManagementCluster.Fault;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tasks of many Machines: the API server that answers the hooks too is asked for a list, and only orphans are aborted. */
class OrphanedTaskAborterTest {
    private static final int MACHINES = 200;
    private static final int NO_FAULT = Integer.MAX_VALUE;

    private static String machine(String uid, String annotations) {
        return "{'metadata': {'name': 'w', 'uid': '%s', 'annotations': {%s}}}".formatted(uid, annotations);
    }

    private static String updating(String uid) {
        return machine(uid, "'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': ''");
    }

    private static KubeObject task(int number) {
        return Objects.requireNonNull(KubeObject.parse("""
                {"metadata": {"name": "t-%1$d", "namespace": "fleet", "resourceVersion": "1",
                   "labels": {"flotilla.dev/machine-uid": "uid-%1$d"}},
                 "spec": {"clusterName": "blue", "machines": ["w-%1$d"]}}""".formatted(number)));
    }

    private static List<KubeObject> putMachinesAndTasks(FaultyManagementCluster cluster) {
        List<KubeObject> tasks = new ArrayList<>();
        for (int i = 0; i < MACHINES; i++) {
            tasks.add(task(i));
            cluster.put(FaultyManagementCluster.TASKS + "/t-" + i, KubeObject.toJsonText(task(i).json()));
            if (i != 5) {
                cluster.put(
                        FaultyManagementCluster.MACHINES + "/w-" + i,
                        i == 3 ? machine("uid-3", "") : updating(i == 4 ? "uid-of-another" : "uid-" + i));
            }
        }
        return tasks;
    }

    @Test
    void tasksOfManyMachinesNeedAListAndAReadOfEachOrphan() throws Exception {
        try (FaultyManagementCluster cluster = new FaultyManagementCluster(Fault.ERROR, NO_FAULT);
                KubeApiClient api = cluster.open()) {
            List<KubeObject> tasks = putMachinesAndTasks(cluster);
            assertThat(new OrphanedTaskAborter(api, new MachineReader(api)).abortOrphans(tasks))
                    .as("one is not updated, one is another Machine of the same name, one is gone")
                    .containsExactly("fleet/t-3", "fleet/t-4", "fleet/t-5");
            assertThat(cluster.requests())
                    .filteredOn(request -> request.startsWith("GET " + FaultyManagementCluster.MACHINES + "/"))
                    .containsExactlyInAnyOrder(
                            "GET " + FaultyManagementCluster.MACHINES + "/w-3",
                            "GET " + FaultyManagementCluster.MACHINES + "/w-4",
                            "GET " + FaultyManagementCluster.MACHINES + "/w-5");
        }
    }

    @Test
    void nothingIsAbortedWhileMachinesCannotBeListed() throws Exception {
        try (FaultyManagementCluster cluster = new FaultyManagementCluster(Fault.UNAVAILABLE, 2);
                KubeApiClient api = cluster.open()) {
            List<KubeObject> tasks = putMachinesAndTasks(cluster);
            OrphanedTaskAborter aborter = new OrphanedTaskAborter(api, new MachineReader(api));
            assertThat(aborter.abortOrphans(tasks)).isEmpty();
            assertThat(cluster.isFaultOver()).isTrue();
            assertThat(cluster.requests()).noneMatch(request -> request.startsWith("PATCH"));
            assertThat(aborter.abortOrphans(tasks)).hasSize(3);
        }
    }

    /** The kind accepts more names than Kubernetes gives to a Machine. */
    @Test
    void aTaskWithoutANameOfAMachineKeepsNoOtherFromItsAbort() throws Exception {
        try (FaultyManagementCluster cluster = new FaultyManagementCluster(Fault.ERROR, NO_FAULT);
                KubeApiClient api = cluster.open()) {
            cluster.put(FaultyManagementCluster.TASKS + "/t-7", KubeObject.toJsonText(task(7).json()));
            KubeObject nameless = Objects.requireNonNull(
                    KubeObject.parse(KubeObject.toJsonText(task(6).json()).replace("\"w-6\"", "\".x\"")));
            assertThat(new OrphanedTaskAborter(api, new MachineReader(api)).abortOrphans(List.of(nameless, task(7))))
                    .containsExactly("fleet/t-7");
        }
    }
}
