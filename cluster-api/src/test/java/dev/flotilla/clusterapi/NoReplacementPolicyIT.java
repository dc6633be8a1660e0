package dev.flotilla.clusterapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admission policy of {@code deploy/cluster-api} on a real API server. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class NoReplacementPolicyIT {
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

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
        String[] manifests = Files.readString(Path.of("../deploy/cluster-api/admission.yaml"))
                .split("---\n", -1);
        cluster.apply(ADMISSION + "validatingadmissionpolicies/flotilla-no-replacement", manifests[0]);
        cluster.apply(ADMISSION + "validatingadmissionpolicybindings/flotilla-no-replacement", manifests[1]);
        // An API server needs a moment until it evaluates a new policy.
        for (int i = 0;
                i < 600 && editControlPlane("kept", "'replicas': 1", VERSION).isEmpty();
                i++) {
            boolean unused = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        }
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    private static final String VERSION = "'version': 'v1.36.3'";
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
}
