package dev.flotilla.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The API server as seen by a real Kubernetes client. */
class KubernetesApiHttpServerIT {
    private static final ResourceDefinitionContext MACHINES = new ResourceDefinitionContext.Builder()
            .withGroup("cluster.x-k8s.io")
            .withVersion("v1beta2")
            .withKind("Machine")
            .withPlural("machines")
            .withNamespaced(true)
            .build();
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private SingleClusterFixture fixture;
    private KubernetesClient client;

    @BeforeEach
    void start() throws Exception {
        fixture = new SingleClusterFixture();
        client = fixture.client();
    }

    @AfterEach
    void stop() {
        client.close();
        fixture.close();
    }

    @Test
    void keepsAnObjectUntilItIsDeleted() {
        Secret created = client.secrets()
                .inNamespace("fleet")
                .resource(secret("a", "one"))
                .create();
        assertThat(created.getMetadata().getUid()).hasSize(36);
        assertThat(created.getMetadata().getCreationTimestamp()).isNotNull();
        assertThat(client.secrets().inNamespace("fleet").withName("a").get()).isEqualTo(created);

        client.secrets().inNamespace("fleet").withName("a").delete();
        assertThat(client.secrets().inNamespace("fleet").withName("a").get()).isNull();
        assertThat(client.secrets().inNamespace("fleet").list().getItems()).isEmpty();

        Secret again = client.secrets()
                .inNamespace("fleet")
                .resource(secret("a", "one"))
                .create();
        assertThat(again.getMetadata().getUid())
                .isNotEqualTo(created.getMetadata().getUid());
    }

    @Test
    void rejectsTheCreationOfAnExistingObject() {
        client.secrets().inNamespace("fleet").resource(secret("a", "one")).create();
        assertThatThrownBy(() -> client.secrets()
                        .inNamespace("fleet")
                        .resource(secret("a", "two"))
                        .create())
                .isInstanceOfSatisfying(KubernetesClientException.class, rejected -> {
                    assertThat(rejected.getCode()).isEqualTo(409);
                    assertThat(rejected.getStatus().getReason()).isEqualTo("AlreadyExists");
                });
    }

    @Test
    void rejectsAnUpdateOfAnOutdatedVersion() {
        Node first = client.nodes().resource(node("a", Map.of())).create();
        client.nodes().withName("a").patch(MERGE, "{\"spec\":{\"unschedulable\":true}}");
        assertThatThrownBy(() ->
                        client.nodes().resource(first).lockResourceVersion().update())
                .isInstanceOfSatisfying(KubernetesClientException.class, rejected -> {
                    assertThat(rejected.getCode()).isEqualTo(409);
                    assertThat(rejected.getStatus().getReason()).isEqualTo("Conflict");
                });
        assertThat(client.nodes().withName("a").get().getSpec().getUnschedulable())
                .isTrue();
    }

    @Test
    void mergePatchRemovesNullFields() {
        machine("m", Map.of("a", "1", "b", "2"));
        GenericKubernetesResource patched = client.genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .withName("m")
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"a\":null,\"c\":\"3\"}}}");
        assertThat(patched.getMetadata().getAnnotations()).containsOnly(Map.entry("b", "2"), Map.entry("c", "3"));
        assertThat(patched.getMetadata().getGeneration()).isEqualTo(1);

        GenericKubernetesResource wanted = client.genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .withName("m")
                .patch(MERGE, "{\"spec\":{\"version\":\"v1.33.0\"}}");
        assertThat(wanted.getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    void rejectsAPatchWithAnotherResourceVersion() {
        machine("m", Map.of());
        assertThatThrownBy(() -> client.genericKubernetesResources(MACHINES)
                        .inNamespace("fleet")
                        .withName("m")
                        .patch(MERGE, "{\"metadata\":{\"resourceVersion\":\"1\",\"annotations\":{\"a\":\"b\"}}}"))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        rejected -> assertThat(rejected.getCode()).isEqualTo(409));
    }

    @Test
    void appliesAJsonPatchCompletelyOrNotAtAll() {
        machine("m", Map.of("a", "1"));
        assertThatThrownBy(() -> client.genericKubernetesResources(MACHINES)
                        .inNamespace("fleet")
                        .withName("m")
                        .patch(PatchContext.of(PatchType.JSON), """
                                [{"op":"replace","path":"/metadata/annotations/a","value":"2"},
                                 {"op":"test","path":"/spec/clusterName","value":"another"}]"""))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(annotations("m")).containsEntry("a", "1");

        client.genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .withName("m")
                .patch(PatchContext.of(PatchType.JSON), """
                        [{"op":"add","path":"/metadata/annotations/x~1y","value":"2"}]""");
        assertThat(annotations("m")).containsEntry("x/y", "2");
    }

    @Test
    void appliesToExistingAndMissingObjects() {
        Node node = new NodeBuilder(node("a", Map.of("role", "x"))).build();
        client.resource(node).serverSideApply();
        node.getMetadata().setLabels(Map.of("zone", "1"));
        Node applied = client.resource(node).serverSideApply();
        assertThat(applied.getMetadata().getLabels()).containsEntry("zone", "1");
    }

    @Test
    void listsByLabelAndByField() {
        client.nodes().resource(node("a", Map.of("zone", "1", "gpu", ""))).create();
        client.nodes().resource(node("b", Map.of("zone", "2"))).create();
        client.nodes().resource(node("c", Map.of())).create();
        assertThat(names(client.nodes().withLabel("zone", "1").list().getItems()))
                .containsExactly("a");
        assertThat(names(client.nodes().withLabel("gpu").list().getItems())).containsExactly("a");
        assertThat(names(client.nodes().withoutLabel("zone").list().getItems())).containsExactly("c");
        assertThat(names(client.nodes().withLabelIn("zone", "1", "2").list().getItems()))
                .containsExactly("a", "b");
        assertThat(names(client.nodes().withLabelNotIn("zone", "1").list().getItems()))
                .containsExactly("b", "c");

        pod("p", "a", Map.of());
        pod("q", "b", Map.of());
        assertThat(client.pods()
                        .inAnyNamespace()
                        .withField("spec.nodeName", "b")
                        .list()
                        .getItems())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("q");
    }

    @Test
    void listsInPages() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            client.nodes().resource(node(name, Map.of())).create();
        }
        var first = client.nodes().list(new ListOptionsBuilder().withLimit(2L).build());
        assertThat(names(first.getItems())).containsExactly("a", "b");
        assertThat(first.getMetadata().getRemainingItemCount()).isEqualTo(3);
        var second = client.nodes()
                .list(new ListOptionsBuilder()
                        .withLimit(3L)
                        .withContinue(first.getMetadata().getContinue())
                        .build());
        assertThat(names(second.getItems())).containsExactly("c", "d", "e");
        assertThat(second.getMetadata().getContinue()).isNull();
    }

    @Test
    void separatesWritesToSpecAndStatus() {
        machine("m", Map.of());
        var machine =
                client.genericKubernetesResources(MACHINES).inNamespace("fleet").withName("m");
        machine.patch(MERGE, "{\"status\":{\"phase\":\"Running\"}}");
        assertThat(machine.get().<Object>get("status")).isNull();
        machine.subresource("status")
                .patch(MERGE, "{\"status\":{\"phase\":\"Running\"},\"spec\":{\"clusterName\":\"b\"}}");
        assertThat(machine.get().<String>get("status", "phase")).isEqualTo("Running");
        assertThat(machine.get().<String>get("spec", "clusterName")).isEqualTo("a");
    }

    @Test
    void evictsAPodUnlessABudgetForbidsIt() throws Exception {
        pod("free", "a", Map.of("app", "free"));
        pod("kept", "a", Map.of("app", "kept"));
        client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withName("budget")
                        .withNamespace("work")
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchLabels("app", "kept")
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        assertThat(client.pods().inNamespace("work").withName("free").evict()).isTrue();
        assertThat(client.pods().inNamespace("work").withName("kept").evict()).isFalse();
        assertThat(client.pods().inNamespace("work").list().getItems())
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("kept");
        assertThat(fixture.cluster.requestCounter().responses()).containsEntry(429, 1L);
    }

    @Test
    void rejectsRequestsWithAnotherToken() {
        try (KubernetesClient unauthorized = fixture.client("guessed")) {
            assertThatThrownBy(() -> unauthorized.nodes().list())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            rejected -> assertThat(rejected.getCode()).isEqualTo(401));
        }
    }

    @Test
    void keepsDeletedObjectsUntilTheirFinalizersAreRemoved() {
        machine("m", Map.of());
        var machine =
                client.genericKubernetesResources(MACHINES).inNamespace("fleet").withName("m");
        machine.patch(MERGE, "{\"metadata\":{\"finalizers\":[\"a/b\"]}}");
        machine.delete();
        assertThat(machine.get().getMetadata().getDeletionTimestamp()).isNotNull();
        machine.patch(MERGE, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(machine.get()).isNull();
    }

    @Test
    void becomesUnreachableAndReachableAgain() throws Exception {
        client.nodes().resource(node("a", Map.of())).create();
        fixture.runOnEventLoop(() -> {
            fixture.cluster.reachability(ApiReachability.RESETS);
            return true;
        });
        assertThatThrownBy(() -> client.nodes().withName("a").get()).isInstanceOf(KubernetesClientException.class);
        fixture.runOnEventLoop(() -> {
            fixture.cluster.reachability(ApiReachability.UNAVAILABLE);
            return true;
        });
        assertThatThrownBy(() -> client.nodes().withName("a").get())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        rejected -> assertThat(rejected.getCode()).isEqualTo(503));
        fixture.runOnEventLoop(() -> {
            fixture.cluster.reachability(ApiReachability.ANSWERS);
            return true;
        });
        assertThat(client.nodes().withName("a").get()).isNotNull();
    }

    @Test
    void countsRequests() {
        client.nodes().resource(node("a", Map.of())).create();
        client.nodes().withName("a").get();
        client.nodes().withName("a").patch(MERGE, "{\"spec\":{\"unschedulable\":true}}");
        assertThat(fixture.cluster.requestCounter().requests("create nodes")).isEqualTo(1);
        assertThat(fixture.cluster.requestCounter().requests("patch nodes")).isEqualTo(1);
        assertThat(fixture.cluster.requestCounter().writes()).isEqualTo(2);
        assertThat(fixture.cluster.requestCounter().reads())
                .isEqualTo(fixture.cluster.requestCounter().requests("get nodes"));
    }

    @Test
    void answersDiscoveryRequests() {
        assertThat(client.getKubernetesVersion().getGitVersion())
                .startsWith("v1.")
                .endsWith("simulated");
        assertThat(client.getApiResources("cluster.x-k8s.io/v1beta2").getResources())
                .extracting(resource -> resource.getName())
                .contains("machines", "machines/status", "clusters");
        assertThat(client.getApiGroups().getGroups())
                .extracting(group -> group.getName())
                .contains("apps", "policy", "cluster.x-k8s.io");
    }

    @Test
    void clientReadsWhatTheSimulationWrites() throws Exception {
        fixture.store(store -> store.put(
                BuiltInResources.NODES.named("a"),
                ImmutableJson.object("spec", ImmutableJson.object("unschedulable", true))));
        assertThat(client.nodes().withName("a").get().getSpec().getUnschedulable())
                .isTrue();
    }

    private void machine(String name, Map<String, String> annotations) {
        GenericKubernetesResource machine = new GenericKubernetesResource();
        machine.setApiVersion("cluster.x-k8s.io/v1beta2");
        machine.setKind("Machine");
        machine.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withAnnotations(annotations)
                .build());
        machine.setAdditionalProperty("spec", Map.of("clusterName", "a"));
        client.genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .resource(machine)
                .create();
    }

    private Map<String, String> annotations(String machine) {
        return client.genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .withName(machine)
                .get()
                .getMetadata()
                .getAnnotations();
    }

    private Pod pod(String name, String node, Map<String, String> labels) {
        return client.pods()
                .inNamespace("work")
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .endSpec()
                        .build())
                .create();
    }

    private static List<String> names(List<Node> nodes) {
        return nodes.stream().map(node -> node.getMetadata().getName()).toList();
    }

    private static Node node(String name, Map<String, String> labels) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    private static Secret secret(String name, String value) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withData(Map.of("value", value))
                .build();
    }
}
