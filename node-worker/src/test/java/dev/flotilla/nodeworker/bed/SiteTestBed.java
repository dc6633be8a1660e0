package dev.flotilla.nodeworker.bed;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.checks.HealthCheckConfig;
import dev.flotilla.nodeworker.config.SiteKubernetesConfig;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A site on the test bed: the API servers of its management cluster and of cluster blue as processes, with the roles that are
 * deployed, and simulated nodes behind real tunnels.
 */
public final class SiteTestBed implements AutoCloseable {
    public static final String TOKEN = "0123456789abcdef0123456789abcdef";
    public static final String WORKER = "flotilla:node-worker";
    public static final String SERVICE_ACCOUNT = "system:serviceaccount:flotilla:flotilla-node-worker";
    private static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    private static final String PROVIDER = "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    private static final String PROXIES = "/apis/apps/v1/namespaces/kube-system/daemonsets/k8sd-proxy";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final AtomicInteger BEDS = new AtomicInteger();

    /** Another one for each bed. */
    public final SiteId site = new SiteId("bed-" + BEDS.incrementAndGet());

    public final Vertx vertx = Vertx.vertx();
    public final TestBedNodes nodes = new TestBedNodes();
    public final KubeCluster management;
    public final KubeCluster workload;
    public final KubeApiClient managementAdmin;
    public final KubeApiClient workloadAdmin;
    private final List<TestBedNode> all = new ArrayList<>();
    private final List<SiteClusters> sites = new ArrayList<>();

    public SiteTestBed(int members, int workers) throws Exception {
        this(members, workers, KubeOptions.apiServer());
    }

    /** A site whose management cluster has more components. */
    public SiteTestBed(int members, int workers, KubeOptions managementOptions) throws Exception {
        management = KubeCluster.start(managementOptions).withClusterApi();
        workload = KubeCluster.start(KubeOptions.apiServer().withControllers().withNodesForwardingTo(nodes.port()));
        managementAdmin = admin(management);
        workloadAdmin = admin(workload);
        management.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        owners(members, workers);
        workload.apply(PROXIES, """
            {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: k8sd-proxy, namespace: kube-system},
             spec: {selector: {matchLabels: {app: k8sd-proxy}}, template: {metadata: {labels: {app: k8sd-proxy}},
               spec: {containers: [{name: c, image: none}]}}}}\
            """);
        for (int i = 1; i <= members; i++) {
            add("cp-" + i, MachineRole.CONTROL_PLANE, "10.0.1." + i);
        }
        for (int i = 1; i <= workers; i++) {
            add("w-" + i, MachineRole.WORKER, "10.0.0." + i);
        }
        secrets();
        serves(members);
        roles(management, "rbac-management.yaml");
        roles(workload, "rbac-workload.yaml");
        nodes.writeTo(workloadAdmin);
        for (TestBedNode node : all) {
            await(node.name() + " to be ready", () -> isReady(node));
            // kwok has given an address to a Node that had none yet.
            is(node.name(), node.address());
            await(node.proxy() + " to run", () -> runs("kube-system", node.proxy()));
        }
    }

    public static KubeApiClient api(Path kubeconfig, String impersonated) throws Exception {
        return new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(kubeconfig))
                        .toClientConfig(impersonated, TIMEOUT),
                8);
    }

    private static KubeApiClient admin(KubeCluster cluster) throws Exception {
        return new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(cluster.kubeconfig()))
                        .toClientConfig(null, TIMEOUT),
                8);
    }

    public TestBedNode node(String name) {
        return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private void owners(int members, int workers) {
        management.apply(CAPI + "clusters/blue", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: blue, namespace: fleet}, spec: {}}\
            """);
        management.apply(PROVIDER + "ck8scontrolplanes/blue", """
            {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane,
             metadata: {name: blue, namespace: fleet}, spec: {replicas: %d, version: v1.32.0, spec: {}}}
            """.formatted(members));
        management.apply(PROVIDER + "ck8scontrolplanes/blue/status", """
            {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane,
             metadata: {name: blue, namespace: fleet}, status: {replicas: %d}}\
            """.formatted(members));
        management.apply(CAPI + "machinedeployments/pool", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: pool, namespace: fleet},
             spec: {clusterName: blue, replicas: %d, selector: {matchLabels: {pool: pool}},
               template: {spec: {clusterName: blue, bootstrap: {dataSecretName: none},
                 infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: T, name: t}}}}}
            """.formatted(workers));
        management.apply(CAPI + "machinedeployments/pool/status", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {name: pool, namespace: fleet},
             status: {replicas: %d}}\
            """.formatted(workers));
    }

    private void add(String name, MachineRole role, String address) throws Exception {
        all.add(nodes.add(new MachineKey(site, "fleet", name), role, address));
        String belongs = role == MachineRole.WORKER
                ? "labels: {cluster.x-k8s.io/cluster-name: blue, cluster.x-k8s.io/deployment-name: pool}"
                : "labels: {cluster.x-k8s.io/cluster-name: blue, cluster.x-k8s.io/control-plane: ''}, ownerReferences:"
                        + " [{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane, name: blue,"
                        + " uid: "
                        + uid(managementAdmin, PROVIDER + "ck8scontrolplanes/blue") + ", controller: true}]";
        String config = "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/fleet/ck8sconfigs/" + name;
        management.apply(config, """
            {apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: CK8sConfig, metadata: {name: %s, namespace: fleet},
             spec: {controlPlane: {microclusterPort: 2380}}}\
            """.formatted(name));
        management.apply(CAPI + "machines/" + name, """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %1$s, namespace: fleet, %2$s},
             spec: {clusterName: blue,
               bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: CK8sConfig, name: %1$s}},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}
            """.formatted(name, belongs));
        management.apply(CAPI + "machines/" + name + "/status", """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %1$s, namespace: fleet},
             status: {nodeRef: {name: %1$s}}}\
            """.formatted(name));
        workload.apply("/api/v1/nodes/" + name, """
            {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {%2$s}}}
            """.formatted(
                        name, role == MachineRole.CONTROL_PLANE ? "node-role.kubernetes.io/control-plane: ''" : ""));
        is(name, address);
        if (!(workloadAdmin.mergePatch("/api/v1/nodes/" + name, TestBedNodes.annotated("3000", "v1.32.0"))
                instanceof KubeResponse.SuccessResponse)) {
            throw new IllegalStateException("node " + name + " is not there");
        }
        pod(
                "kube-system",
                "k8sd-proxy-" + name,
                name,
                "labels: {app: k8sd-proxy}, ownerReferences: [{apiVersion: apps/v1,"
                        + " kind: DaemonSet, name: k8sd-proxy, controller: true, uid: " + uid(workloadAdmin, PROXIES)
                        + "}]");
    }

    /** What a kubelet would say of itself. */
    private void is(String name, String address) {
        workload.apply("/api/v1/nodes/" + name + "/status", """
            {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {nodeInfo: {kubeletVersion: v1.32.0},
               addresses: [{type: Hostname, address: 127.0.0.1}, {type: InternalIP, address: %s}]}}
            """.formatted(name, address));
    }

    /** A pod on a node, which is going to run. */
    public void pod(String namespace, String name, String node, String metadata) {
        workload.apply(
                "/api/v1/namespaces/" + namespace + "/pods/" + name, """
                    {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: %s, %s},
                     spec: {nodeName: %s, tolerations: [{operator: Exists}], containers: [{name: c, image: none}]}}
                    """.formatted(name, namespace, metadata, node));
    }

    private void secrets() throws IOException {
        StringBuilder tokens = new StringBuilder();
        for (TestBedNode node : all) {
            tokens.append("node-token-")
                    .append(node.name())
                    .append(": ")
                    .append(base64(TOKEN))
                    .append(", ");
        }
        secret("blue-token", tokens.toString());
        secret("blue-kubeconfig", "value: " + base64(Files.readString(workload.kubeconfig())));
    }

    private void secret(String name, String data) {
        management.apply("/api/v1/namespaces/fleet/secrets/" + name, """
            {apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: fleet}, data: {%s}}\
            """.formatted(name, data));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void serves(int members) {
        List<String> endpoints = new ArrayList<>();
        for (int i = 1; i <= members; i++) {
            endpoints.add("{addresses: [10.0.1." + i + "], conditions: {ready: true}}");
        }
        workload.apply("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes", """
            {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, metadata: {name: kubernetes,
              namespace: default, labels: {kubernetes.io/service-name: kubernetes}}, endpoints: [%s]}
            """.formatted(
                        String.join(", ", endpoints)));
    }

    /** The Secret of the workload cluster says so from now on. */
    void kubeconfig(String text) {
        secret("blue-kubeconfig", "value: " + base64(text));
    }

    /** What the owner of the control plane says of it from now on. */
    void controlPlaneSays(String condition, String status) {
        management.apply(PROVIDER + "ck8scontrolplanes/blue/status", """
            {apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: CK8sControlPlane,
             metadata: {name: blue, namespace: fleet}, status: {replicas: 3, conditions: [{type: %s, status: '%s',
               reason: AsATestWants, lastTransitionTime: '2026-01-01T00:00:00Z'}]}}\
            """.formatted(condition, status));
    }

    static void roles(KubeCluster cluster, String manifest) throws IOException {
        apply(cluster, Path.of("../deploy/node-worker", manifest));
    }

    /** Applies all documents of a manifest. */
    public static void apply(KubeCluster cluster, Path manifest) throws IOException {
        for (String document : Files.readString(manifest).split("\n---\n", -1)) {
            KubeObject object = new KubeObject(yaml(document));
            String namespace = object.text("metadata", "namespace");
            String kind = String.valueOf(object.text("kind"));
            String version = String.valueOf(object.text("apiVersion"));
            cluster.apply(
                    (version.equals("v1") ? "/api/v1/" : "/apis/" + version + "/")
                            + (namespace == null ? "" : "namespaces/" + namespace + "/")
                            + kind.toLowerCase(Locale.ROOT) + "s/" + object.name(),
                    document);
        }
    }

    private static JsonObjectReader yaml(String text) {
        if (YamlReader.read(text, DocumentLimits.SPECIFICATION_BYTES)
                        instanceof ParseResult.ParsedDocument parsedDocument
                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader) {
            return jsonObjectReader;
        }
        throw new IllegalArgumentException("no YAML object:\n" + text);
    }

    /** A site whose worker has its own account in the management cluster, and impersonates in the other. */
    public SiteClusters site(SiteUpgradeSettings settings) throws Exception {
        Path kubeconfig = management.kubeconfig(SERVICE_ACCOUNT, "system:serviceaccounts");
        SiteClusters opened =
                SiteClusters.open(vertx, new SiteKubernetesConfig(kubeconfig, settings), HealthCheckConfig.NONE);
        sites.add(opened);
        return opened;
    }

    /** Where the management cluster has its Machine. */
    public static String machine(TestBedNode node) {
        return CAPI + "machines/" + node.name();
    }

    public String uid(TestBedNode node) {
        return uid(managementAdmin, machine(node));
    }

    private static String uid(KubeApiClient api, String path) {
        return api.get(path) instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().uid()
                : "";
    }

    /** An annotation of a machine; null where it has none of that name. */
    public String annotation(TestBedNode node, String name) {
        return managementAdmin.get(machine(node)) instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().annotation(name)
                : null;
    }

    public boolean isUnschedulable(TestBedNode node) {
        return workloadAdmin.get("/api/v1/nodes/" + node.name()) instanceof KubeResponse.SuccessResponse successResponse
                && successResponse.object().bool("spec", "unschedulable");
    }

    private boolean isReady(TestBedNode node) {
        return workloadAdmin.get("/api/v1/nodes/" + node.name()) instanceof KubeResponse.SuccessResponse successResponse
                && successResponse.object().isCondition("Ready", "True");
    }

    public boolean runs(String namespace, String pod) {
        return workloadAdmin.get("/api/v1/namespaces/" + namespace + "/pods/" + pod)
                        instanceof KubeResponse.SuccessResponse successResponse
                && "Running".equals(successResponse.object().text("status", "phase"));
    }

    public boolean isGone(String namespace, String pod) {
        return workloadAdmin
                .get("/api/v1/namespaces/" + namespace + "/pods/" + pod)
                .isMissing();
    }

    /** Waits for something that is going to be so. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("timed out waiting for " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    @Override
    public void close() {
        sites.forEach(SiteClusters::close);
        nodes.close();
        managementAdmin.close();
        workloadAdmin.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        workload.close();
        management.close();
    }
}
