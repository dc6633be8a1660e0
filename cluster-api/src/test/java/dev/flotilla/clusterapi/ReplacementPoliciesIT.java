package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeManifest;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admission policies of {@code deploy/cluster-api} on a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ReplacementPoliciesIT {
    private static final String INTERNAL = "in-place-updates.internal.cluster.x-k8s.io/";
    private static final String COUNTED_TOO_EARLY = "{'spec': {'replicas': 10}}";

    private static KubeCluster cluster;
    private static KubeApiClient admin;
    private static int number;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        admin = KubeApiClient.open(cluster.kubeconfig(), Duration.ofSeconds(10), 1, System::nanoTime);
        cluster.apply("/api/v1/namespaces/kept", """
            {apiVersion: v1, kind: Namespace, metadata: {name: kept, labels: {flotilla.dev/uncovered: stop}}}""");
        cluster.apply("/api/v1/namespaces/free", "{apiVersion: v1, kind: Namespace, metadata: {name: free}}");
        cluster.apply("/api/v1/namespaces/in-place", """
            {apiVersion: v1, kind: Namespace, metadata: {name: in-place, labels: {flotilla.dev/in-place: enabled}}}""");
        cluster.apply(KubeManifest.parseAll(Files.readString(Path.of("../deploy/cluster-api/admission.yaml"))));
        // An API server needs a moment until it evaluates a new policy.
        awaitRefusal(() -> editControlPlane("kept", "'replicas': 1", VERSION));
        move("free");
        move("in-place");
        awaitRefusal(() -> edit(machineSet("in-place", "newer"), COUNTED_TOO_EARLY));
    }

    private static void awaitRefusal(Supplier<String> edit) throws InterruptedException {
        for (int i = 0; i < 600 && edit.get().isEmpty(); i++) {
            boolean unused = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        }
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    private static final String VERSION = "'version': 'v1.36.3'";
    private static final String ANOTHER_VERSION = "{'spec': {'template': {'spec': {" + VERSION + "}}}}";
    private static final String NO_SURGE = "'rollout': {'strategy': {'rollingUpdate': {'maxSurge': 0}}}";

    /** Returns what the API server refuses an edit with; empty if it accepts it. */
    private static String edit(String path, String edit) {
        KubeResponse answer = admin.mergePatch(
                path + "?dryRun=All",
                Objects.requireNonNull(KubeObject.parse(edit.replace('\'', '"')))
                        .json());
        return answer instanceof KubeResponse.SuccessResponse ? "" : answer.problem();
    }

    private static String editControlPlane(String namespace, String before, String edit) {
        String path = "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/" + namespace
                + "/kubeadmcontrolplanes/cp-" + ++number;
        cluster.apply(path, """
            {"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
             "metadata": {"name": "cp-%d", "namespace": "%s"},
             "spec": {"version": "v1.36.2", "kubeadmConfigSpec": {"files": []}, %s}}""".formatted(number, namespace, before.replace('\'', '"')));
        return edit(path, "{'spec': {" + edit + "}}");
    }

    private static String editDeployment(String before, String edit) {
        String path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/kept/machinedeployments/md-" + ++number;
        cluster.apply(path, """
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
             "metadata": {"name": "md-%d", "namespace": "kept"},
             "spec": {"clusterName": "blue", "selector": {}, %s "template": {"spec": {"clusterName": "blue", "version": "v1.36.2",
               "bootstrap": {"dataSecretName": "x"},
               "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "M", "name": "m"}}}}}""".formatted(number, before.replace('\'', '"')));
        return edit(path, "{'spec': {" + edit + "}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "'replicas': 1, " + NO_SURGE + "; " + VERSION + "; UpgradeTask",
                "'replicas': 2, " + NO_SURGE + "; 'kubeadmConfigSpec': {'files': [{'path': '/x'}]}; UpgradeTask",
                "'replicas': 3; " + VERSION + "; maxSurge",
                "'replicas': 3, 'rollout': {'strategy': {'rollingUpdate': {'maxSurge': 1}}}; " + VERSION + "; maxSurge",
                "'replicas': 3, " + NO_SURGE + "; 'rollout': {'after': '2026-01-01T00:00:00Z'}; rollout.after",
                "'replicas': 3, " + NO_SURGE + "; " + VERSION + "; ``",
                "'replicas': 1; 'replicas': 3; ``",
                "'replicas': 1; 'rollout': {'strategy': {'rollingUpdate': {'maxSurge': 0}}}; ``"
            })
    void editOfAControlPlaneThatReplacesIsRefusedWithTheWayOut(String before, String edit, String expected) {
        String refusal = editControlPlane("kept", before, edit);
        if (expected.isEmpty()) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal).contains("flotilla-no-replacement", expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "``; maxSurge",
                "'rollout': {'strategy': {'type': 'OnDelete'}},; OnDelete",
                "'rollout': {'after': '2026-01-01T00:00:00Z', 'strategy': {'rollingUpdate': {'maxSurge': 0}}},; rollout.after",
                "'rollout': {'strategy': {'rollingUpdate': {'maxSurge': '0%'}}},; ``",
                NO_SURGE + ",; ``"
            })
    void editOfADeploymentThatReplacesIsRefusedWithTheWayOut(String before, String expected) {
        String refusal = editDeployment(before, "'template': {'spec': {" + VERSION + "}}");
        if (expected.isEmpty()) {
            assertThat(refusal).isEmpty();
        } else {
            assertThat(refusal).contains("flotilla-no-replacement", expected);
        }
        assertThat(editDeployment(before, "'replicas': 9"))
                .as("an edit that changes no machine")
                .isEmpty();
    }

    @Test
    void otherNamespacesAndPausedControlPlanesAreNotConcerned() {
        assertThat(editControlPlane("free", "'replicas': 1", VERSION)).isEmpty();
        String path = "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/kept/kubeadmcontrolplanes/paused";
        cluster.apply(path, """
            {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane,
             metadata: {name: paused, namespace: kept, annotations: {cluster.x-k8s.io/paused: ''}},
             spec: {version: v1.36.2, replicas: 1}}""");
        assertThat(edit(path, "{'spec': {" + VERSION + "}}")).isEmpty();
    }

    private static final String TEMPLATE = """
            "template": {"spec": {"clusterName": "blue", "version": "v1.36.2", "bootstrap": {"dataSecretName": "x"},
              "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "M", "name": "m"}}}""";

    private static String clusterApi(String namespace, String kindAndName) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/" + kindAndName;
    }

    private static String machineSet(String namespace, String name) {
        return clusterApi(namespace, "machinesets/" + name);
    }

    /** Has a Machine that was moved from the MachineSet of a MachineDeployment to a newer one, and is not counted there. */
    private static void move(String namespace) {
        for (String deployment : List.of("moving", "resting", "new")) {
            cluster.apply(clusterApi(namespace, "machinedeployments/" + deployment), """
                {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment", "metadata": {"name": "%s", "namespace": "%s"},
                 "spec": {"clusterName": "blue", "selector": {}, %s}}""".formatted(
                            deployment, namespace, TEMPLATE));
        }
        cluster.apply(machineSet(namespace, "older"), """
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
             "metadata": {"name": "older", "namespace": "%s"},
             "spec": {"clusterName": "blue", "replicas": 3, "selector": {}, %s}}""".formatted(namespace, TEMPLATE));
        KubeObject newer = Objects.requireNonNull(KubeObject.parse(
                cluster.apply(machineSet(namespace, "newer"), """
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
             "metadata": {"name": "newer", "namespace": "%s", "annotations": {"%sreceive-machines-from-machinesets": "older"}},
             "spec": {"clusterName": "blue", "replicas": 2, "selector": {}, %s}}""".formatted(namespace, INTERNAL, TEMPLATE))));
        report(namespace, "moving");
        report(namespace, "resting");
        cluster.apply(
                clusterApi(namespace, "machines/young"),
                movedMachine(namespace, "young", "new", newer)
                        .replace(INTERNAL + "pending-acknowledge-move", "example.com/other"));
        // Later Machines are read later: whatever knows the moved one knows that this one is being deleted.
        cluster.apply(clusterApi(namespace, "machines/leaving"), movedMachine(namespace, "leaving", "resting", newer));
        cluster.delete(clusterApi(namespace, "machines/leaving"));
        cluster.apply(clusterApi(namespace, "machines/moved"), movedMachine(namespace, "moved", "moving", newer));
    }

    /** Has a MachineDeployment report its Machine. */
    private static void report(String namespace, String deployment) {
        cluster.merge(
                clusterApi(namespace, "machinedeployments/" + deployment + "/status"), "{\"status\":{\"replicas\":1}}");
    }

    private static String movedMachine(String namespace, String name, String deployment, KubeObject owner) {
        return """
            {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
             "metadata": {"name": "%s", "namespace": "%s", "labels": {"cluster.x-k8s.io/deployment-name": "%s"},
               "annotations": {"%spending-acknowledge-move": ""}, "finalizers": ["example.com/held"],
               "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet", "name": "newer", "uid": "%s"}]},
             "spec": {"clusterName": "blue", "bootstrap": {"dataSecretName": "x"},
               "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "M", "name": "m"}}}""".formatted(name, namespace, deployment, INTERNAL, owner.uid());
    }

    @Test
    void clusterApiCountsMovedMachinesBeforeItCreatesOthers() {
        String newer = machineSet("in-place", "newer");
        assertThat(edit(newer, COUNTED_TOO_EARLY))
                .contains("flotilla-moved-machines", "Machine moved", "not counted yet");
        assertThat(edit(newer, acknowledging(4, "seen"))).contains("Machine moved");
        assertThat(edit(newer, acknowledging(3, "seen")))
                .as("one more for one that is counted, while others are seen later")
                .isEmpty();
        assertThat(edit(newer, acknowledging(4, "moved,seen"))).isEmpty();
        assertThat(edit(newer, acknowledging(9, "moved,seen")))
                .as("the MachineDeployment is scaled up")
                .isEmpty();
        assertThat(edit(newer, "{'spec': {'replicas': 1}}")).as("fewer").isEmpty();
        assertThat(edit(machineSet("in-place", "older"), COUNTED_TOO_EARLY))
                .as("no Machine is moved there")
                .isEmpty();
        assertThat(edit(machineSet("free", "newer"), COUNTED_TOO_EARLY))
                .as("a namespace without the extension")
                .isEmpty();
    }

    private static String acknowledging(int replicas, String machines) {
        return "{'metadata': {'annotations': {'" + INTERNAL + "acknowledged-move': '" + machines
                + "'}}, 'spec': {'replicas': " + replicas + "}}";
    }

    @Test
    void deploymentIsNotChangedWhileItsMachinesAreMoved() {
        assertThat(edit(clusterApi("in-place", "machinedeployments/moving"), ANOTHER_VERSION))
                .contains("flotilla-moved-machines", "Machine moved", "try again in some seconds");
        assertThat(edit(clusterApi("in-place", "machinedeployments/moving"), COUNTED_TOO_EARLY))
                .as("its replicas")
                .isEmpty();
        assertThat(edit(clusterApi("in-place", "machinedeployments/resting"), ANOTHER_VERSION))
                .as("another one, whose Machine is being deleted")
                .isEmpty();
        assertThat(edit(clusterApi("free", "machinedeployments/moving"), ANOTHER_VERSION))
                .as("a namespace without the extension")
                .isEmpty();
    }

    @Test
    void deploymentIsNotChangedBeforeItReportsItsMachines() {
        String path = clusterApi("in-place", "machinedeployments/new");
        assertThat(edit(path, ANOTHER_VERSION))
                .contains("flotilla-moved-machines", "status.replicas does not count Machine young yet");
        assertThat(edit(path, "{'spec': {'paused': true}}")).isEmpty();
        assertThat(edit(clusterApi("free", "machinedeployments/new"), ANOTHER_VERSION))
                .isEmpty();
        report("in-place", "new");
        assertThat(edit(path, ANOTHER_VERSION)).isEmpty();
    }
}
