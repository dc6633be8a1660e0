package dev.flotilla.clusterapi;

import static dev.flotilla.clusterapi.ExtensionFixture.CAPI;
import static dev.flotilla.clusterapi.ExtensionFixture.HOOKS;
import static dev.flotilla.clusterapi.ExtensionFixture.TASKS;
import static dev.flotilla.clusterapi.ExtensionFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.dirty.DirtyMachineMarker;
import dev.flotilla.clusterapi.hashing.HashKeySecret;
import dev.flotilla.clusterapi.registration.ExtensionUninstaller;
import dev.flotilla.clusterapi.update.MachineReader;
import dev.flotilla.clusterapi.update.OpenTaskLister;
import dev.flotilla.clusterapi.update.OrphanedTaskAborter;
import dev.flotilla.clusterapi.update.UpdateAnswer;
import dev.flotilla.clusterapi.update.UpdateMachineHandler;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The hooks over HTTPS, with a real API server and exactly the shipped role. The test plays Cluster API and the watcher. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ExtensionOnApiServerIT {
    private static final String UPDATE = HOOKS + "updatemachine/update-machine";
    private static final String SECRET = "/api/v1/namespaces/flotilla/secrets/flotilla-cluster-api-hash-key";
    private static final String CONFIGS = "/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs";

    private static ExtensionFixture fixture;
    private static KubeCluster cluster;
    private static KubeApiClient admin;
    private static int number;
    private String machine;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        fixture = new ExtensionFixture(folder);
        cluster = fixture.cluster;
        admin = fixture.admin;
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @BeforeEach
    void createMachine() {
        machine = "w-" + ++number;
        fixture.createMachine(machine);
    }

    private static KubeObject call(String path, String body) throws Exception {
        return fixture.call(path, body);
    }

    private KubeObject update() throws Exception {
        return call(UPDATE, updateRequest());
    }

    private String updateRequest() {
        return """
            {"kind": "UpdateMachineRequest", "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1",
             "settings": {"apply.KubeadmConfig": "files"},
             "desired": {
               "machine": {"kind": "Machine", "apiVersion": "cluster.x-k8s.io/v1beta2",
                 "metadata": {"name": "%1$s", "namespace": "fleet"},
                 "spec": {"clusterName": "blue", "version": "v1.36.3"}},
               "infrastructureMachine": {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta2", "kind": "M",
                 "metadata": {"name": "%1$s", "namespace": "fleet"}, "spec": {}},
               "bootstrapConfig": {"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta2", "kind": "KubeadmConfig",
                 "metadata": {"name": "%1$s", "namespace": "fleet"},
                 "spec": {"files": [{"path": "/etc/x", "content": "S3cret"}]}}}}""".formatted(machine);
    }

    private List<KubeObject> tasks() {
        return fixture.tasksOf(machine);
    }

    private static KubeObject read(String path) {
        return fixture.read(path);
    }

    private static void writeTaskStatus(String name, String status) {
        fixture.writeTaskStatus(name, status);
    }

    @Test
    void updateIsATaskAndItsStatusIsTheAnswerAlsoAfterARestart() throws Exception {
        KubeObject first = update();
        assertThat(first.text("status")).isEqualTo("Success");
        assertThat(first.number("retryAfterSeconds")).isPositive();
        KubeObject task = tasks().getFirst();
        String hash = task.text("spec", "target", "machineSpec", "hash");
        assertThat(hash).matches("sha256:[0-9a-f]{64}");
        assertThat(KubeObject.toJsonText(task.json())).doesNotContain("S3cret");
        assertThat(task.text("spec", "target", "machineSpec", "bootstrapRef", "kind"))
                .isEqualTo("KubeadmConfig");

        writeTaskStatus(
                task.name(),
                "{'phase': 'Waiting', 'machines': [{'name': '%s', 'state': 'Waiting', 'gate': 'window'}]}"
                        .formatted(machine));
        assertThat(update().text("message")).isEqualTo("UpgradeTask " + task.name() + " waits at gate window");

        fixture.restartExtension();
        assertThat(update().text("message")).isEqualTo("UpgradeTask " + task.name() + " waits at gate window");
        assertThat(tasks()).hasSize(1);

        writeTaskStatus(task.name(), "{'phase': 'Completed'}");
        cluster.merge(
                CAPI + "machines/" + machine,
                "{\"metadata\":{\"annotations\":{\"flotilla.dev/reached-machine-spec\":\"" + hash + "\"}}}");
        cluster.merge(
                CAPI + "machines/" + machine + "/status",
                "{\"status\":{\"nodeInfo\":{\"kubeletVersion\":\"v1.36.3\"}}}");
        KubeObject done = update();
        assertThat(done.text("status")).isEqualTo("Success");
        assertThat(done.number("retryAfterSeconds")).isZero();
        assertThat(tasks()).hasSize(1);

        UpdateAnswer byOthers = new UpdateAnswer.InProgress(3, "delegate memory");
        assertThat(new UpdateMachineHandler(
                                admin,
                                new MachineReader(admin),
                                new HashKeySecret(admin, "flotilla"),
                                new DirtyMachineMarker(admin, InstantSource.system()),
                                (table, request) -> byOthers,
                                CoverageTable.DEFAULT,
                                600,
                                InstantSource.system())
                        .answer(Objects.requireNonNull(KubeObject.parse(updateRequest()))))
                .as("done is what others have done too")
                .isEqualTo(byOthers);
    }

    @Test
    void failedTaskFailsUntilItIsDeleted() throws Exception {
        update();
        String name = tasks().getFirst().name();
        writeTaskStatus(name, "{'phase': 'Failed'}");
        assertThat(update().text("status")).isEqualTo("Failure");
        assertThat(update().text("message")).contains("UpgradeTask " + name + " has failed");
        cluster.delete(TASKS + "/" + name);
        assertThat(update().text("status")).isEqualTo("Success");
        assertThat(tasks()).hasSize(1);
    }

    @Test
    void taskOfAMachineThatIsNotUpdatedAnyMoreIsAborted() throws Exception {
        update();
        cluster.merge(
                CAPI + "machines/" + machine,
                "{\"metadata\":{\"annotations\":{\"in-place-updates.internal.cluster.x-k8s.io/update-in-progress\":null}}}");
        await("the abort", () -> "Abort".equals(tasks().getFirst().text("spec", "phase")));
    }

    @Test
    void keyIsCreatedOnceAndIsNotShown() throws Exception {
        update();
        String key = read(SECRET).text("data", "key");
        assertThat(key).hasSizeGreaterThan(40);
        update();
        assertThat(read(SECRET).text("data", "key")).isEqualTo(key);
    }

    @Test
    void ownerOfAnUncoveredChangeSaysWhy() throws Exception {
        String deployment = CAPI + "machinedeployments/blue-" + machine;
        cluster.apply(deployment, """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: blue-%s, namespace: fleet},
             spec: {clusterName: blue, selector: {}, template: {spec: {clusterName: blue,
               bootstrap: {dataSecretName: x},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}}}""".formatted(machine));
        String request = """
            {"kind": "CanUpdateMachineSetRequest", "settings": {"uncovered": "stop"},
             "current": {"machineSet": {"kind": "MachineSet", "metadata": {"name": "a", "namespace": "fleet"},
                 "spec": {"template": {"spec": {"version": "v1.36.2"}}}},
               "infrastructureMachineTemplate": {"kind": "MTemplate", "metadata": {"name": "a"},
                 "spec": {"template": {"spec": {"image": "old"}}}}},
             "desired": {"machineSet": {"kind": "MachineSet", "metadata": {"name": "b", "namespace": "fleet",
                 "labels": {"cluster.x-k8s.io/deployment-name": "blue-%s"}},
                 "spec": {"template": {"spec": {"version": "v1.36.3"}}}},
               "infrastructureMachineTemplate": {"kind": "MTemplate", "metadata": {"name": "b"},
                 "spec": {"template": {"spec": {"image": "%s"}}}}}}""";
        String path = HOOKS + "canupdatemachineset/can-update-machineset";
        assertThat(call(path, request.formatted(machine, "new")).text("status")).isEqualTo("Failure");
        await("the condition", () -> read(deployment).isCondition("flotilla.dev/NotCovered", "True"));
        assertThat(Objects.requireNonNull(read(deployment).condition("flotilla.dev/NotCovered"))
                        .text("message"))
                .contains("MTemplate spec.image", "Nothing is replaced");
        assertThat(call(path, request.formatted(machine, "old")).text("machineSetPatch", "patchType"))
                .isEqualTo("JSONMergePatch");
        await("no condition", () -> read(deployment).condition("flotilla.dev/NotCovered") == null);
    }

    @Test
    void withoutTheApiServerDiscoveryAnswersAndUpdatesGoOn() throws Exception {
        update();
        cluster.kill();
        assertThat(call(HOOKS + "discovery", "{}").list("handlers")).hasSize(3);
        KubeObject held = update();
        assertThat(held.text("status")).isEqualTo("Success");
        assertThat(held.number("retryAfterSeconds")).isPositive();
        assertThat(held.text("message")).isEqualTo("the Machine cannot be read");
        cluster.restart();
        await("the API server", () -> admin.get(TASKS) instanceof KubeResponse.SuccessResponse);
        assertThat(tasks()).hasSize(1);
    }

    @Test
    void anotherExtensionForOurNamespacesRefusesTheFirstStartOnlyAndIsShown() throws Exception {
        installExtensionConfigs();
        cluster.apply("/api/v1/namespaces/shared", """
            {apiVersion: v1, kind: Namespace, metadata: {name: shared, labels: {flotilla.dev/in-place: enabled}}}""");
        cluster.apply(CONFIGS + "/vendor", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: vendor},
             spec: {clientConfig: {service: {namespace: vendor, name: updater}}},
             status: {handlers: [{name: u.vendor, requestHook: {hook: UpdateMachine}}]}}""");
        assertThatThrownBy(fixture::startExtension)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ExtensionConfig vendor")
                .hasMessageContaining("shared")
                .hasMessageContaining("leave these namespaces out");

        cluster.apply(CONFIGS + "/flotilla", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: flotilla},
             spec: {clientConfig: {service: {namespace: flotilla, name: flotilla-cluster-api-extension}},
               namespaceSelector: {matchLabels: {flotilla.dev/in-place: enabled}}}}""");
        try (ClusterApiExtensionProcess second = fixture.startExtension()) {
            assertThat(second.url()).isNotEmpty();
            await(
                    "the Event",
                    () -> read("/api/v1/namespaces/default/events").list("items").stream()
                            .anyMatch(event -> "ExtensionConflict".equals(event.text("reason"))
                                    && "flotilla".equals(event.text("involvedObject", "name"))));
        } finally {
            cluster.delete(CONFIGS + "/vendor");
            cluster.delete(CONFIGS + "/flotilla");
        }
    }

    private static void installExtensionConfigs() {
        cluster.apply(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/extensionconfigs.runtime.cluster.x-k8s.io",
                """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
             metadata: {name: extensionconfigs.runtime.cluster.x-k8s.io},
             spec: {group: runtime.cluster.x-k8s.io, scope: Cluster,
               names: {kind: ExtensionConfig, listKind: ExtensionConfigList, plural: extensionconfigs, singular: extensionconfig},
               versions: [{name: v1beta2, served: true, storage: true,
                 schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}""");
        cluster.awaitServed(CONFIGS);
    }

    private static void applyOurConfig() {
        cluster.apply(CONFIGS + "/flotilla", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: flotilla},
             spec: {clientConfig: {service: {namespace: flotilla, name: flotilla-cluster-api-extension}},
               namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: fleet}}}}""");
    }

    @Test
    void uninstallWaitsForUpdatesAndRemovesTheRegistrationFirst() throws Exception {
        installExtensionConfigs();
        applyOurConfig();
        ExtensionUninstaller uninstaller = new ExtensionUninstaller(admin, "flotilla");
        assertThat(((ExtensionUninstaller.UninstallResult.UpdatesInProgress) uninstaller.tryOnce()).machines())
                .contains("fleet/" + machine);
        assertThat(read(CONFIGS).list("items")).as("nothing is removed").hasSize(1);
        read(CAPI + "machines").list("items").forEach(each -> cluster.delete(CAPI + "machines/" + each.name()));
        assertThat(uninstaller.tryOnce())
                .isEqualTo(new ExtensionUninstaller.UninstallResult.Uninstalled(List.of("ExtensionConfig flotilla")));
        assertThat(read(CONFIGS).list("items")).isEmpty();
    }

    @Test
    void registrationThatIsMadeAgainGoesOnWithTheSameTasks() throws Exception {
        update();
        String task = tasks().getFirst().name();
        writeTaskStatus(
                task,
                "{'phase': 'Waiting', 'machines': [{'name': '%s', 'state': 'Waiting', 'gate': 'window'}]}"
                        .formatted(machine));
        installExtensionConfigs();
        applyOurConfig();
        cluster.delete(CONFIGS + "/flotilla");
        applyOurConfig();
        assertThat(update().text("message")).isEqualTo("UpgradeTask " + task + " waits at gate window");
        cluster.delete(CONFIGS + "/flotilla");
        assertThat(tasks()).hasSize(1);
    }

    private static List<String> abortOrphans() {
        return new OrphanedTaskAborter(admin, new MachineReader(admin))
                .abortOrphans(((OpenTaskLister.TaskListResult.TasksListed) new OpenTaskLister(admin).list()).open());
    }

    @Test
    void taskOfARemediatedMachineEndsAndItsSuccessorOfTheSameNameBeginsAnew() throws Exception {
        cluster.merge(CAPI + "machines/" + machine, "{\"metadata\":{\"finalizers\":[\"machine.cluster.x-k8s.io\"]}}");
        update();
        String task = tasks().getFirst().name();
        String running =
                "{'phase': 'InProgress', 'machines': [{'name': '%s', 'state': 'InProgress'}]}".formatted(machine);
        writeTaskStatus(task, running);

        // A MachineHealthCheck marks the Machine; its owner deletes it a moment later.
        cluster.merge(CAPI + "machines/" + machine + "/status", """
            {"status":{"conditions":[
              {"type":"HealthCheckSucceeded","status":"False","reason":"UnhealthyNode","lastTransitionTime":"2026-01-02T03:04:05Z"},
              {"type":"OwnerRemediated","status":"False","reason":"WaitingForRemediation","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}""");
        assertThat(abortOrphans()).as("nobody has deleted it yet").noneMatch(name -> name.endsWith(task));
        assertThat(update().text("message")).isEqualTo("UpgradeTask " + task + " upgrades the node");

        cluster.delete(CAPI + "machines/" + machine);
        assertThat(read(CAPI + "machines/" + machine).isDeleting()).isTrue();
        abortOrphans();
        assertThat(tasks().getFirst().text("spec", "phase")).isEqualTo("Abort");
        KubeObject late = update();
        assertThat(late.text("message")).isEqualTo("the Machine is being deleted");
        assertThat(late.number("retryAfterSeconds")).as("never done").isPositive();
        writeTaskStatus(task, "{'phase': 'Aborted'}");
        cluster.merge(CAPI + "machines/" + machine, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(update().number("retryAfterSeconds")).isPositive();
        assertThat(abortOrphans()).as("an abort is asked for once").isEmpty();
        assertThat(tasks()).as("no task for a Machine that is gone").hasSize(1);

        fixture.createMachine(machine);
        update();
        assertThat(tasks())
                .hasSize(2)
                .filteredOn(each -> !each.name().equals(task))
                .allSatisfy(each -> {
                    assertThat(each.label("flotilla.dev/machine-uid"))
                            .isEqualTo(read(CAPI + "machines/" + machine).uid());
                    assertThat(each.text("spec", "phase")).isNotEqualTo("Abort");
                });
    }

    @Test
    void taskOfADeletedMachineIsAborted() throws Exception {
        update();
        cluster.delete(CAPI + "machines/" + machine);
        await("the abort", () -> "Abort".equals(tasks().getFirst().text("spec", "phase")));
    }

    @Test
    void pauseKeepsTheTask() throws Exception {
        update();
        cluster.merge(
                CAPI + "machines/" + machine, "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
        assertThat(abortOrphans()).noneMatch(name -> name.contains(machine + "-"));
        assertThat(update().text("status")).isEqualTo("Success");
        assertThat(tasks()).hasSize(1);
    }
}
