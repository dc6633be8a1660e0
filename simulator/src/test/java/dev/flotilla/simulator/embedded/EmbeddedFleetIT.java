package dev.flotilla.simulator.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.node.NodeFaultProfile;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole refresh, observed through the API and made through k8sd, starting from a kubeconfig only. */
@Timeout(60)
class EmbeddedFleetIT {
    private static final ResourceDefinitionContext MACHINES = new ResourceDefinitionContext.Builder()
            .withGroup("cluster.x-k8s.io")
            .withVersion("v1beta2")
            .withKind("Machine")
            .withPlural("machines")
            .withNamespaced(true)
            .build();
    private static final int SPEED = 100;
    private static final long TEN_MINUTES = 600_000;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(TEN_MINUTES, 0);

    private final Vertx vertx = Vertx.vertx();
    private final List<KubernetesClient> clients = new ArrayList<>();
    private EmbeddedFleet fleet;

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        clients.forEach(KubernetesClient::close);
        await(vertx.close());
    }

    @Test
    void kubeconfigLeadsToEveryNode() throws Exception {
        start(EmbeddedFleetSpec.evenSites(2, 3, 3, 4, 1, SPEED));
        assertThat(fleet.kubeconfigs()).containsOnlyKeys("site-0", "site-1");
        KubernetesClient management = client(fleet.kubeconfigs().get("site-1"));
        assertThat(management
                        .genericKubernetesResources(MACHINES)
                        .inAnyNamespace()
                        .withLabel("cluster.x-k8s.io/cluster-name", "site-1-c-0")
                        .withLabel("cluster.x-k8s.io/control-plane")
                        .list()
                        .getItems())
                .hasSize(3);
        GenericKubernetesResource machine = management
                .genericKubernetesResources(MACHINES)
                .inNamespace("fleet")
                .withName("site-1-c-2-w-3")
                .get();
        KubernetesClient workload = client(workload(management, machine.get("spec", "clusterName")));
        Node node = workload.nodes()
                .withName(machine.<String>get("status", "nodeRef", "name"))
                .get();
        assertThat(node.getSpec().getProviderID()).isEqualTo(machine.<String>get("spec", "providerID"));
        assertThat(ready(node)).isEqualTo("True");
        assertThat(workload.leases().inNamespace("kube-node-lease").list().getItems())
                .hasSize(7);
        assertThat(workload.pods()
                        .inNamespace("kube-system")
                        .withLabel("app", "k8sd-proxy")
                        .withField("spec.nodeName", node.getMetadata().getName())
                        .list()
                        .getItems())
                .hasSize(1);
        assertThat(apiEndpoints(workload)).hasSize(3);
    }

    @Test
    void nodeObjectShowsARefresh() throws Exception {
        start(singleCluster(1, 1, WITHOUT_FAULTS));
        KubernetesClient management = client(fleet.kubeconfigs().get("north"));
        KubernetesClient workload = client(workload(management, "a"));
        Node before = workload.nodes().withName("a-w-0").get();
        assertThat(before.getMetadata().getAnnotations().get("k8sd.io/version"))
                .isEqualTo("{\"revision\":\"3000\",\"kubernetesVersion\":\"1.32.0\"}");

        JsonObject answer = refresh(management, workload, "a-w-0", "3100");
        assertThat(answer.getJsonObject("metadata").getString("changeId")).isEqualTo("100");
        waitUntil(workload, "a-w-0", node -> !ready(node).equals("True"));
        Node after = waitUntil(workload, "a-w-0", node -> ready(node).equals("True"));
        assertThat(after.getStatus().getNodeInfo().getKubeletVersion()).isEqualTo("v1.33.0");
        assertThat(after.getStatus().getNodeInfo().getBootID())
                .isEqualTo(before.getStatus().getNodeInfo().getBootID());
        assertThat(after.getMetadata().getAnnotations().get("k8sd.io/version"))
                .isEqualTo("{\"revision\":\"3100\",\"kubernetesVersion\":\"1.33.0\"}");
        assertThat(management
                        .genericKubernetesResources(MACHINES)
                        .inNamespace("fleet")
                        .withName("a-w-0")
                        .get()
                        .<String>get("status", "nodeInfo", "kubeletVersion"))
                .isEqualTo("v1.33.0");
        assertThat(await(fleet.runOnEventLoop(() -> fleet.ledger().calls().size())))
                .isEqualTo(1);
    }

    @Test
    void proxyPodForwardsToK8sd() throws Exception {
        start(singleCluster(1, 1, WITHOUT_FAULTS));
        KubernetesClient management = client(fleet.kubeconfigs().get("north"));
        KubernetesClient workload = client(workload(management, "a"));
        try (LocalPortForward proxy = workload.pods()
                .inNamespace("kube-system")
                .withName("k8sd-proxy-a-w-0")
                .portForward(2380, InetAddress.getLoopbackAddress(), 0)) {
            JsonObject answer = refresh(management, workload, "a-w-0", "3100", proxy.getLocalPort());
            assertThat(answer.getInteger("status_code")).isEqualTo(200);
        }
        assertThat(await(fleet.runOnEventLoop(() -> fleet.ledger().calls().size())))
                .isEqualTo(1);
    }

    @Test
    void nodeObjectShowsNoNewVersionAfterAFalseDone() throws Exception {
        start(singleCluster(1, 1, new NodeFaultProfile(TEN_MINUTES, 0, false, 0, 100, 0, 0, 0, 0, 0, 0)));
        KubernetesClient management = client(fleet.kubeconfigs().get("north"));
        KubernetesClient workload = client(workload(management, "a"));
        refresh(management, workload, "a-w-0", "3100");
        waitUntil(workload, "a-w-0", node -> !ready(node).equals("True"));
        Node after = waitUntil(workload, "a-w-0", node -> ready(node).equals("True"));
        assertThat(after.getStatus().getNodeInfo().getKubeletVersion()).isEqualTo("v1.32.0");
    }

    @Test
    void unreachableMemberIsNoApiEndpoint() throws Exception {
        start(singleCluster(3, 0, WITHOUT_FAULTS));
        KubernetesClient workload = client(workload(client(fleet.kubeconfigs().get("north")), "a"));
        makeUnreachable("a-cp-1");
        waitUntil(workload, "a-cp-1", node -> ready(node).equals("Unknown"));
        assertThat(apiEndpoints(workload)).hasSize(2);
        repair("a-cp-1");
        waitUntil(workload, "a-cp-1", node -> ready(node).equals("True"));
        assertThat(apiEndpoints(workload)).hasSize(3);
    }

    @Test
    void apiIsUnreachableWithItsOnlyControlPlaneNode() throws Exception {
        start(singleCluster(1, 1, WITHOUT_FAULTS));
        KubernetesClient workload = client(workload(client(fleet.kubeconfigs().get("north")), "a"));
        makeUnreachable("a-cp-0");
        assertThatThrownBy(() -> workload.nodes().withName("a-cp-0").get())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        failed -> assertThat(failed.getCode())
                                .as("a connection that breaks")
                                .isNegative());
        repair("a-cp-0");
        assertThat(ready(workload.nodes().withName("a-cp-0").get())).isEqualTo("True");
    }

    private static EmbeddedFleetSpec singleCluster(int controlPlanes, int workers, NodeFaultProfile faultProfile) {
        WorkloadClusterSpec cluster =
                WorkloadClusterSpec.withoutFaults("a", controlPlanes, workers).with(faultProfile);
        return new EmbeddedFleetSpec(
                List.of(new EmbeddedFleetSpec.EmbeddedSiteSpec("north", List.of(cluster))), 1, SPEED);
    }

    private void start(EmbeddedFleetSpec spec) throws Exception {
        SelfSignedCertificate selfSigned = SelfSignedCertificate.in(folder);
        fleet = await(EmbeddedFleet.start(vertx, spec, selfSigned.key(), selfSigned.certificate()));
    }

    private KubernetesClient client(String kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig);
        config.setRequestRetryBackoffLimit(0);
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        clients.add(client);
        return client;
    }

    private static String workload(KubernetesClient management, String cluster) {
        return secret(management, cluster + "-kubeconfig", "value");
    }

    private static String secret(KubernetesClient management, String name, String key) {
        Secret secret = management.secrets().inNamespace("fleet").withName(name).get();
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    /** Sends a refresh to a node's k8sd, at the address in its Node object, with the token in its Secret. */
    private JsonObject refresh(KubernetesClient management, KubernetesClient workload, String name, String revision)
            throws Exception {
        return refresh(management, workload, name, revision, fleet.k8sdPort());
    }

    private JsonObject refresh(
            KubernetesClient management, KubernetesClient workload, String name, String revision, int port)
            throws Exception {
        String address = workload.nodes()
                .withName(name)
                .get()
                .getStatus()
                .getAddresses()
                .getFirst()
                .getAddress();
        var client = vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
        return await(client.request(new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setServer(SocketAddress.inetSocketAddress(port, "127.0.0.1"))
                        .setHost(address)
                        .setPort(2380)
                        .setURI("/1.0/snap/refresh")
                        .putHeader("node-token", secret(management, "a-token", "node-token-" + name)))
                .compose(request -> request.send(Buffer.buffer("{\"revision\":\"" + revision + "\"}")))
                .compose(response -> response.body())
                .map(Buffer::toJsonObject));
    }

    private void makeUnreachable(String name) throws Exception {
        await(fleet.runOnEventLoop(() -> {
            node(name).node().makeUnreachable(TimeUnit.DAYS.toMillis(30));
            return name;
        }));
    }

    private void repair(String name) throws Exception {
        await(fleet.runOnEventLoop(() -> {
            node(name).node().repair();
            return name;
        }));
    }

    private EmbeddedNode node(String name) {
        return fleet.node(new MachineKey(new SiteId("north"), "fleet", name));
    }

    private static Node waitUntil(KubernetesClient workload, String name, Predicate<Node> condition) {
        return workload.nodes().withName(name).waitUntilCondition(condition, 15, TimeUnit.SECONDS);
    }

    private static String ready(Node node) {
        return node.getStatus().getConditions().getFirst().getStatus();
    }

    private static List<?> apiEndpoints(KubernetesClient workload) {
        return workload.discovery()
                .v1()
                .endpointSlices()
                .inNamespace("default")
                .withName("kubernetes")
                .get()
                .getEndpoints();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
