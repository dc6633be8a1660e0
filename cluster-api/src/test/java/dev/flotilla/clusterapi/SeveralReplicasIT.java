package dev.flotilla.clusterapi;

import static dev.flotilla.clusterapi.ExtensionFixture.HOOKS;
import static dev.flotilla.clusterapi.ExtensionFixture.TASKS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas that are asked at once, with a real API server: an update is one UpgradeTask. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SeveralReplicasIT {
    private static final String UPDATE = HOOKS + "updatemachine/update-machine";
    private static final int MACHINES = 10;
    private static final int CALLS = 16;

    private static ExtensionFixture fixture;
    private static List<ClusterApiExtensionProcess> replicas;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        fixture = new ExtensionFixture(folder);
        replicas = List.of(fixture.extension(), fixture.startExtension());
    }

    @AfterAll
    static void stop() {
        replicas.getLast().close();
        fixture.close();
    }

    private static String request(String namespace, String name) {
        return """
            {"kind": "UpdateMachineRequest", "settings": {"apply.KubeadmConfig": "files"},
             "desired": {
               "machine": {"kind": "Machine", "metadata": {"name": "%1$s", "namespace": "%2$s"},
                 "spec": {"clusterName": "blue", "version": "v1.36.3"}},
               "infrastructureMachine": {"kind": "M", "metadata": {"name": "%1$s"}, "spec": {}},
               "bootstrapConfig": {"kind": "KubeadmConfig", "metadata": {"name": "%1$s"},
                 "spec": {"files": [{"path": "/etc/x"}]}}}}""".formatted(name, namespace);
    }

    /** Asks all replicas at once, several times each. */
    private static List<KubeObject> askAtOnce(String machine) throws Exception {
        List<Future<KubeObject>> answers = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLS)) {
            for (int i = 0; i < CALLS; i++) {
                ClusterApiExtensionProcess replica = replicas.get(i % replicas.size());
                answers.add(callers.submit(() -> {
                    begin.await();
                    return fixture.call(replica, UPDATE, request("fleet", machine));
                }));
            }
            begin.countDown();
        }
        List<KubeObject> read = new ArrayList<>();
        for (Future<KubeObject> answer : answers) {
            read.add(answer.get());
        }
        return read;
    }

    @Test
    void requestsAtOnceMakeOneTaskAndNoneIsDone() throws Exception {
        for (int i = 0; i < MACHINES; i++) {
            String machine = "at-once-" + i;
            fixture.createMachine(machine);
            assertThat(askAtOnce(machine)).allSatisfy(answer -> {
                assertThat(answer.text("status")).isEqualTo("Success");
                assertThat(answer.number("retryAfterSeconds")).isPositive();
                assertThat(answer.text("message")).endsWith(" waits");
            });
            assertThat(fixture.tasksOf(machine)).hasSize(1);
        }
    }

    @Test
    void failedTaskIsFailedForAllAndOneFollowsItWhenItIsDeleted() throws Exception {
        fixture.createMachine("failed");
        askAtOnce("failed");
        String task = fixture.tasksOf("failed").getFirst().name();
        fixture.writeTaskStatus(task, "{'phase': 'Failed'}");
        assertThat(askAtOnce("failed"))
                .allMatch(answer -> "Failure".equals(answer.text("status"))
                        && String.valueOf(answer.text("message")).contains(task + " has failed"));
        fixture.cluster.delete(TASKS + "/" + task);
        assertThat(askAtOnce("failed"))
                .allMatch(answer -> "Success".equals(answer.text("status"))
                        && !Long.valueOf(0).equals(answer.number("retryAfterSeconds")));
        assertThat(fixture.tasksOf("failed")).hasSize(1);
    }

    @Test
    void taskThatHasLostItsLabelIsNamedAndNeitherDoneNorRepeated() throws Exception {
        fixture.createMachine("unlabelled");
        askAtOnce("unlabelled");
        String task = fixture.tasksOf("unlabelled").getFirst().name();
        fixture.writeTaskStatus(task, "{'phase': 'Completed'}");
        fixture.cluster.merge(TASKS + "/" + task, "{\"metadata\":{\"labels\":null}}");
        assertThat(askAtOnce("unlabelled"))
                .allMatch(answer -> !Long.valueOf(0).equals(answer.number("retryAfterSeconds"))
                        && String.valueOf(answer.text("message"))
                                .startsWith("UpgradeTask " + task + " exists without label flotilla.dev/machine-uid="));
        assertThat(fixture.tasksOf("unlabelled")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".hidden", "w/../../secrets/x", "w?limit=1", "w#x", "W", "%2e%2e"})
    void nameThatNoMachineHasIsAFailureOfTheRequest(String name) throws Exception {
        KubeObject answer = fixture.call(UPDATE, request("fleet", name));
        assertThat(answer.text("status")).isEqualTo("Failure");
        assertThat(fixture.call(UPDATE, request(name, "w")).text("status")).isEqualTo("Failure");
    }

    /** The condition of a Machine shows why its update does not begin. */
    @Test
    void refusedTaskIsAnAnswerWithItsReason() throws Exception {
        fixture.createMachine("refused");
        fixture.cluster.merge(ExtensionFixture.CAPI + "machines/refused", "{\"spec\":{\"version\":\"v1.36.3.1\"}}");
        KubeObject answer = fixture.call(UPDATE, request("fleet", "refused").replace("v1.36.3", "v1.36.3.1"));
        assertThat(answer.number("retryAfterSeconds")).isPositive();
        assertThat(answer.text("message"))
                .startsWith("the UpgradeTask cannot be created: 422 ")
                .contains("write a Kubernetes version such as v1.36.3");
    }
}
