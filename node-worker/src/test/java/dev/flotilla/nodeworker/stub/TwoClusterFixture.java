package dev.flotilla.nodeworker.stub;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.testkit.cert.CertificateAuthority;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stubs of a management cluster and of cluster blue, which has three workers and three members, and a site over both. Its
 * clocks move only on demand.
 */
public final class TwoClusterFixture implements AutoCloseable {
    public static final String CANARY = "canary-0c5d7a11";
    public static final String CAPI = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/";
    public static final String MACHINE = CAPI + "machines/m-1";
    public static final String CLUSTER = CAPI + "clusters/blue";
    public static final String OWNER = CAPI + "machinedeployments/pool";
    public static final String NODE = "/api/v1/nodes/w-1";
    public static final String SECRETS = "/api/v1/namespaces/fleet/secrets/";
    public static final String PINS = "/api/v1/namespaces/fleet/configmaps/blue-flotilla-pins";
    public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    public static final String UID = "u-1";

    public final Vertx vertx = Vertx.vertx();
    public final KubeApiStub management;
    public final KubeApiStub workload;
    public final CertificateAuthority authority = CertificateAuthority.create("blue");
    public final AtomicLong ticks = new AtomicLong(1);
    public final SiteClusters site;
    private final NodeUpgraderFactory nodeUpgraders;
    public volatile Instant now = NOW;

    public TwoClusterFixture() throws Exception {
        this(SiteUpgradeSettings.DEFAULT);
    }

    public TwoClusterFixture(SiteUpgradeSettings settings) throws Exception {
        management = KubeApiStub.plain(vertx);
        workload = KubeApiStub.secure(vertx, authority.issue("api"));
        workload.expect(CANARY);
        fill();
        site = new SiteClusters(vertx, config(), settings, () -> now, ticks::get);
        nodeUpgraders = new NodeUpgraderFactory(vertx, site, null);
    }

    public Config config() {
        return new ConfigBuilder(Config.empty()).withMasterUrl(management.url()).build();
    }

    private void fill() {
        management.put(
                "/apis/cluster.x-k8s.io",
                SampleObjects.json("{'versions': [{'version': 'v1beta2'}, {'version': 'v1beta1'}]}"));
        management.put(
                "/apis/cluster.x-k8s.io/v1beta2",
                SampleObjects.json("{'resources': [{'name': 'clusters'}, {'name': 'machines'},"
                        + " {'name': 'machinedeployments'}, {'name': 'machinedrainrules'}]}"));
        serve("controlplane.cluster.x-k8s.io", "ck8scontrolplanes");
        serve("bootstrap.cluster.x-k8s.io", "ck8sconfigs");
        management.put(MACHINE, SampleObjects.machine(UID, "w-1"));
        management.put(CAPI + "machines/m-cp", SampleObjects.memberMachine("u-cp", "cp-1"));
        management.put(CLUSTER, SampleObjects.json("{'spec': {}}"));
        management.put(OWNER, SampleObjects.owner(3));
        management.put(
                "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/fleet/ck8scontrolplanes/blue",
                SampleObjects.owner(3));
        management.put(SECRETS + "blue-kubeconfig", secret("value", kubeconfig(CANARY)));
        management.put(SECRETS + "blue-token", secret("node-token-m-1", CANARY));
        management.put(PINS, SampleObjects.json("{'kind': 'ConfigMap'}"));
        serves("10.0.1.2", "10.0.1.3");
        for (int i = 1; i <= 3; i++) {
            workload.put(
                    "/api/v1/nodes/w-" + i, SampleObjects.node("100", "v1.34.1", NOW.minusSeconds(60), "10.0.0." + i));
            workload.put(
                    "/api/v1/nodes/cp-" + i,
                    SampleObjects.member(SampleObjects.node("100", "v1.34.1", NOW.minusSeconds(60), "10.0.1." + i)));
            workload.put(lease("cp-" + i), SampleObjects.lease(NOW.minusSeconds(5)));
            workload.put(lease("w-" + i), SampleObjects.lease(NOW.minusSeconds(5)));
        }
    }

    /** Sets the addresses at which the API of cluster blue is served. */
    public void serves(String... addresses) {
        JsonArray endpoints = new JsonArray();
        for (String address : addresses) {
            endpoints.add(SampleObjects.json("{'addresses': ['" + address + "'], 'conditions': {'ready': true}}"));
        }
        workload.put(
                "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes",
                SampleObjects.json("{'metadata': {'labels': {'kubernetes.io/service-name': 'kubernetes'}}}")
                        .put("endpoints", endpoints));
    }

    private void serve(String group, String plural) {
        management.put("/apis/" + group, SampleObjects.json("{'versions': [{'version': 'v1beta2'}]}"));
        management.put(
                "/apis/" + group + "/v1beta2", SampleObjects.json("{'resources': [{'name': '" + plural + "'}]}"));
    }

    public static String lease(String node) {
        return "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" + node;
    }

    public static JsonObject secret(String key, String value) {
        return new JsonObject()
                .put("kind", "Secret")
                .put(
                        "data",
                        new JsonObject()
                                .put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
    }

    public static JsonObject pins(String key, String value) {
        return new JsonObject().put("kind", "ConfigMap").put("data", new JsonObject().put(key, value));
    }

    public String kubeconfig(String token) {
        return kubeconfig(workload.url(), authority, token);
    }

    public static String kubeconfig(String server, CertificateAuthority authority, String token) {
        String ca = Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII));
        return """
            current-context: c
            clusters: [{name: blue, cluster: {server: "%s", certificate-authority-data: %s}}]
            contexts: [{name: c, context: {cluster: blue, user: admin}}]
            users: [{name: admin, user: {token: %s}}]
            """.formatted(server, ca, token);
    }

    public static ClusterKey blue() {
        return new ClusterKey(new SiteId("north"), "fleet", "blue");
    }

    /** The parameters of attempt 7 on a machine. */
    public static UpgradeAttemptParameters parameters(String machine, String uid, MachineRole role) {
        return new UpgradeAttemptParameters(new MachineKey(blue().site(), "fleet", machine), uid, 7, role, 1, "0/a");
    }

    private static UpgradeAttemptParameters parameters(
            long attempt, String owner, @Nullable DrainMode drain, @Nullable SiteMode mode) {
        return new UpgradeAttemptParameters(
                new MachineKey(blue().site(), "fleet", "m-1"),
                UID,
                attempt,
                MachineRole.WORKER,
                1,
                owner,
                null,
                drain,
                mode,
                null);
    }

    /** The node upgrader of an attempt on worker m-1. */
    public NodeUpgrader worker(long attempt, String owner) {
        return nodeUpgraders.createUpgrader(parameters(attempt, owner, null, null), false);
    }

    /** One that continues an attempt of another worker. */
    public NodeUpgrader successor(long attempt, String owner) {
        return nodeUpgraders.createUpgrader(parameters(attempt, owner, null, null), true);
    }

    /** One whose command says whether the node is drained. */
    public NodeUpgrader worker(@Nullable DrainMode drain) {
        return nodeUpgraders.createUpgrader(parameters(7, "0/a", drain, null), false);
    }

    /** One whose command says which mode the site has. */
    public NodeUpgrader worker(@Nullable SiteMode mode) {
        return nodeUpgraders.createUpgrader(parameters(7, "0/a", null, mode), false);
    }

    /** The node upgrader of an attempt on control-plane member m-cp. */
    public NodeUpgrader member() {
        return nodeUpgraders.createUpgrader(parameters("m-cp", "u-cp", MachineRole.CONTROL_PLANE), false);
    }

    /** The node upgrader of any attempt. */
    public NodeUpgrader upgrader(UpgradeAttemptParameters parameters, boolean resumed) {
        return nodeUpgraders.createUpgrader(parameters, resumed);
    }

    public void pass(long millis) {
        ticks.addAndGet(millis * 1_000_000);
        now = now.plusMillis(millis);
    }

    @Override
    public void close() {
        site.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
