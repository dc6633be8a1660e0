package dev.flotilla.clusterapi.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.clusterapi.hashing.HashKeySecret;
import dev.flotilla.clusterapi.update.FaultyManagementCluster.Fault;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One request to the API server goes wrong, whichever it is: an update goes on, once, and is never done before it is. */
class UpdateOutageTest {
    /** A first update reads and creates the key, reads it again, looks up a version, reads the Machine and its tasks, and creates one. */
    private static final int REQUESTS = 8;

    private static final int CALLS = 3;
    private static final int NEVER = 1_000;
    private static final String REACHED = "flotilla.dev/reached-machine-spec";
    private static final String REQUEST = """
            {"settings": {"apply.KubeadmConfig": "files"},
             "desired": {"machine": {"kind": "Machine", "metadata": {"name": "w-0", "namespace": "fleet"},
                 "spec": {"clusterName": "blue", "version": "v1.36.3"}},
               "infrastructureMachine": {"kind": "DevMachine", "metadata": {"name": "w-0"}, "spec": {}},
               "bootstrapConfig": {"kind": "KubeadmConfig", "metadata": {"name": "w-0"},
                 "spec": {"files": [{"path": "/etc/x"}]}}}}""";
    private static final String MACHINE = """
            {'metadata': {'name': 'w-0', 'namespace': 'fleet', 'uid': 'uid-1', 'annotations': {
                 'in-place-updates.internal.cluster.x-k8s.io/update-in-progress': ''%s}},
             'spec': {'clusterName': 'blue', 'version': 'v1.36.3'}, 'status': {'nodeInfo': {'kubeletVersion': '%s'}}}""";

    private static String machine(String annotation, @Nullable String value, String kubelet) {
        return MACHINE.formatted(value == null ? "" : ", '" + annotation + "': '" + value + "'", kubelet);
    }

    private static UpdateAnswer update(KubeApiClient api) {
        return update(api, REQUEST);
    }

    private static UpdateAnswer update(KubeApiClient api, String request) {
        return new UpdateMachineHandler(
                        api,
                        new MachineReader(api),
                        new HashKeySecret(api, "flotilla"),
                        new DirtyMachineMarker(api, InstantSource.system()),
                        (table, updated) -> new UpdateAnswer.Done(),
                        CoverageTable.DEFAULT,
                        600,
                        InstantSource.system())
                .answer(Objects.requireNonNull(KubeObject.parse(request)));
    }

    /** What is tried on a management cluster without faults. */
    private interface ClusterTest {
        void run(FaultyManagementCluster cluster, KubeApiClient api) throws Exception;
    }

    /** Runs a test with a Machine that has the old version, and no task. */
    private static void onOldMachine(ClusterTest test) throws Exception {
        try (FaultyManagementCluster cluster = new FaultyManagementCluster(Fault.ERROR, NEVER);
                KubeApiClient api = cluster.open()) {
            cluster.put(FaultyManagementCluster.MACHINE, machine(REACHED, null, "v1.36.1"));
            test.run(cluster, api);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUpdateBeginsOnceWhicheverRequestGoesWrong(Fault fault) throws Exception {
        for (int before = 0; before < REQUESTS; before++) {
            try (FaultyManagementCluster cluster = new FaultyManagementCluster(fault, before);
                    KubeApiClient api = cluster.open()) {
                cluster.put(FaultyManagementCluster.MACHINE, machine(REACHED, null, "v1.36.1"));
                List<UpdateAnswer> answers = new ArrayList<>();
                for (int call = 0; call < CALLS; call++) {
                    answers.add(update(api));
                }
                assertThat(cluster.isFaultOver())
                        .as("request %d was made", before)
                        .isTrue();
                assertThat(answers)
                        .as("request %d", before)
                        .allMatch(answer -> answer instanceof UpdateAnswer.InProgress inProgress
                                && inProgress.retryAfterSeconds() > 0);
                assertThat(cluster.tasks()).as("request %d", before).hasSize(1);
                assertThat(((UpdateAnswer.InProgress) answers.getLast()).message())
                        .endsWith(" waits");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUpdateThatIsOverIsDoneOnlyWhenAllWasRead(Fault fault) throws Exception {
        for (int before = 0; before < REQUESTS; before++) {
            try (FaultyManagementCluster cluster = new FaultyManagementCluster(fault, before + REQUESTS);
                    KubeApiClient api = cluster.open()) {
                cluster.put(FaultyManagementCluster.MACHINE, machine(REACHED, null, "v1.36.1"));
                update(api);
                complete(cluster);
                List<UpdateAnswer> answers = new ArrayList<>();
                for (int call = 0; call < CALLS; call++) {
                    answers.add(update(api));
                }
                assertThat(answers)
                        .as("request %d", before)
                        .allMatch(answer -> answer instanceof UpdateAnswer.Done
                                || (answer instanceof UpdateAnswer.InProgress inProgress
                                        && inProgress.retryAfterSeconds() > 0));
                assertThat(answers.getLast()).as("request %d", before).isEqualTo(new UpdateAnswer.Done());
                assertThat(cluster.tasks()).as("request %d", before).hasSize(1);
            }
        }
    }

    /** Completes the only task, with its machine at the target. */
    private static void complete(FaultyManagementCluster cluster) {
        String path = cluster.tasks().keySet().iterator().next();
        KubeObject task =
                Objects.requireNonNull(KubeObject.parse(cluster.tasks().get(path)));
        cluster.put(
                path,
                KubeObject.toJsonText(task.json().toBuilder()
                        .put(
                                "status",
                                Objects.requireNonNull(KubeObject.parse(
                                                "{\"phase\": \"Completed\", \"finishedAt\": \"2026-01-02T03:04:05Z\"}"))
                                        .json())
                        .build()));
        cluster.put(
                FaultyManagementCluster.MACHINE,
                machine(REACHED, task.text("spec", "target", "machineSpec", "hash"), "v1.36.3"));
    }

    @Test
    void anOldCacheOfTheApiServerCreatesNoSecondTask() throws Exception {
        onOldMachine((cluster, api) -> {
            cluster.freezeCache();
            update(api);
            assertThat(update(api)).isInstanceOf(UpdateAnswer.InProgress.class);
            assertThat(cluster.tasks()).hasSize(1);
            complete(cluster);
            assertThat(update(api)).isEqualTo(new UpdateAnswer.Done());
        });
    }

    @Test
    void anOldCacheOfTheApiServerCreatesNoTaskForAnotherTargetBesideAnOpenOne() throws Exception {
        onOldMachine((cluster, api) -> {
            cluster.freezeCache();
            update(api);
            assertThat(update(api, REQUEST.replace("/etc/x", "/etc/y")))
                    .isInstanceOfSatisfying(
                            UpdateAnswer.InProgress.class,
                            answer -> assertThat(answer.message()).endsWith("waits, for an earlier change"));
            assertThat(cluster.tasks()).hasSize(1);
        });
    }

    @Test
    void aMachineWithoutATaskGetsOneWithoutAListOfAllTasks() throws Exception {
        onOldMachine((cluster, api) -> {
            update(api);
            assertThat(cluster.tasks()).hasSize(1);
            assertThat(cluster.requests())
                    .filteredOn(request -> request.equals("GET " + FaultyManagementCluster.TASKS))
                    .hasSize(1);
        });
    }

    /** A task that no number excludes, such as one that an earlier version of Flotilla has created. */
    @ParameterizedTest
    @ValueSource(strings = {"flotilla.dev/upgrade-task", REACHED})
    void aMachineThatShowsATaskGetsNoneFromTheCacheAlone(String annotation) throws Exception {
        onOldMachine((cluster, api) -> {
            cluster.freezeCache();
            cluster.put(FaultyManagementCluster.MACHINE, machine(annotation, "of-a-task", "v1.36.1"));
            cluster.put(FaultyManagementCluster.TASKS + "/w-0-otherwise", """
                    {'metadata': {'name': 'w-0-otherwise', 'namespace': 'fleet', 'uid': 'task-1',
                       'labels': {'flotilla.dev/machine-uid': 'uid-1'}, 'annotations': {'flotilla.dev/update-target': 'another'}},
                     'spec': {'clusterName': 'blue', 'machines': ['w-0']}}""");
            assertThat(update(api))
                    .isEqualTo(
                            new UpdateAnswer.InProgress(5, "UpgradeTask w-0-otherwise waits, for an earlier change"));
            assertThat(cluster.tasks()).hasSize(1);
        });
    }

    @Test
    void anOldCacheOfTheApiServerMakesNothingDoneEarly() throws Exception {
        onOldMachine((cluster, api) -> {
            update(api);
            String path = cluster.tasks().keySet().iterator().next();
            String open = cluster.tasks().get(path);
            complete(cluster);
            cluster.freezeCache();
            cluster.put(path + "-2", open.replaceFirst("(\"name\": *\"[^\"]*)\"", "$1-2\""));
            assertThat(update(api)).isInstanceOf(UpdateAnswer.InProgress.class);
        });
    }

    @Test
    void aMachineThatWaitsIsFoundInTheCacheAlone() throws Exception {
        onOldMachine((cluster, api) -> {
            update(api);
            cluster.requests().clear();
            update(api);
            assertThat(cluster.requests())
                    .filteredOn(request -> request.equals("GET " + FaultyManagementCluster.TASKS))
                    .as("without the cache, the API server reads all tasks for one machine")
                    .hasSize(1);
        });
    }
}
