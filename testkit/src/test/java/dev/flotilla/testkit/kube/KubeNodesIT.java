package dev.flotilla.testkit.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A cluster with nodes, pods and controllers, and a simulated k8sd behind each of its pods. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class KubeNodesIT {
    private static final int TIMEOUT_SECONDS = 60;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final String BUDGET = """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata:
              name: never
              namespace: default
            spec:
              minAvailable: 1
              selector:
                matchLabels: {app: precious}
            """;
    private static final Map<String, Object> EVICTION = Map.of(
            "apiVersion",
            "policy/v1",
            "kind",
            "Eviction",
            "metadata",
            Map.of("name", "precious", "namespace", "default"));

    private static SimK8sdNodes k8sd;
    private static KubeCluster cluster;
    private static KubernetesClient admin;

    @BeforeAll
    static void start() throws Exception {
        k8sd = new SimK8sdNodes("10.0.0.11", "10.0.0.12");
        cluster = KubeCluster.start(KubeOptions.apiServer().withControllers().withNodesForwardingTo(k8sd.port()));
        admin = KubernetesClients.of(cluster.kubeconfig());
        admin.resource(node("w-1", "10.0.0.11")).create();
        admin.resource(node("w-2", "10.0.0.12")).create();
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
        k8sd.close();
    }

    @Test
    void nodeBecomesReadyAndKeepsItsAddresses() {
        Node ready = admin.nodes()
                .withName("w-1")
                .waitUntilCondition(
                        node -> node.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Ready")
                                        && condition.getStatus().equals("True")),
                        TIMEOUT_SECONDS,
                        TimeUnit.SECONDS);

        assertThat(ready.getStatus().getAddresses())
                .containsExactly(new NodeAddress("127.0.0.1", "Hostname"), new NodeAddress("10.0.0.11", "InternalIP"));
        assertThat(ready.getStatus().getNodeInfo().getKubeletVersion()).isEqualTo("v1.35.1");
    }

    @Test
    void podRunsAndIsDeleted() {
        PodResource pod = admin.pods().inNamespace("default").withName("short-lived");
        createAndAwaitRunning(pod("default", "short-lived", "w-1", Map.of()));

        pod.delete();
        pod.waitUntilCondition(Objects::isNull, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void evictionIsRejectedWhileNoDisruptionIsAllowed() {
        createAndAwaitRunning(pod("default", "precious", "w-1", Map.of("app", "precious")));
        admin.resource(BUDGET).create();
        admin.genericKubernetesResources("policy/v1", "PodDisruptionBudget")
                .inNamespace("default")
                .withName("never")
                .waitUntilCondition(
                        budget -> Integer.valueOf(1).equals(budget.get("status", "currentHealthy")),
                        TIMEOUT_SECONDS,
                        TimeUnit.SECONDS);

        assertThat(KubernetesClients.rejectionCode(KubeNodesIT::evict)).isEqualTo(TOO_MANY_REQUESTS);

        admin.resource(BUDGET).delete();
        evict();
        admin.pods()
                .inNamespace("default")
                .withName("precious")
                .waitUntilCondition(Objects::isNull, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static void evict() {
        admin.raw("/api/v1/namespaces/default/pods/precious/eviction", "POST", EVICTION);
    }

    @Test
    void portForwardReachesTheK8sdThatTheHostNames() throws Exception {
        createAndAwaitRunning(pod("kube-system", "k8sd-proxy-1", "w-1", Map.of("app", "k8sd-proxy")));

        try (PodPortForward podPortForward =
                PodPortForward.to(admin.pods().inNamespace("kube-system").withName("k8sd-proxy-1"))) {
            assertThat(podPortForward.post(
                            "10.0.0.12:2380", "/1.0/snap/refresh-status", SimK8sdNodes.TOKEN, "{\"changeId\":\"7\"}"))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"completed\":false");
        }
        assertThat(k8sd.requestedHosts()).containsExactly("10.0.0.12");
    }

    private static void createAndAwaitRunning(Pod pod) {
        admin.resource(pod).create();
        admin.resource(pod)
                .waitUntilCondition(
                        current -> current != null
                                && "Running".equals(current.getStatus().getPhase()),
                        TIMEOUT_SECONDS,
                        TimeUnit.SECONDS);
    }

    private static Pod pod(String namespace, String name, String node, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("c")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }

    private static Node node(String name, String address) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withAddresses(
                        List.of(new NodeAddress("127.0.0.1", "Hostname"), new NodeAddress(address, "InternalIP")))
                .withNewNodeInfo()
                .withKubeletVersion("v1.35.1")
                .endNodeInfo()
                .endStatus()
                .build();
    }
}
