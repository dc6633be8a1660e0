package dev.flotilla.nodeworker.stub;

import dev.flotilla.nodeworker.node.NodeClient;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.node.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
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
 * clocks stand still unless they are moved.
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

    /** From now on the API of cluster blue is served there. */
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

    public NodeClient worker(long attempt, String owner) {
        return site.createNodeClient(new UpgradeAttemptParameters(
                new MachineKey(new SiteId("north"), "fleet", "m-1"), UID, attempt, MachineRole.WORKER, 1, owner));
    }

    /** One whose command says whether the node is to be emptied. */
    public NodeClient worker(@Nullable DrainMode drain) {
        return site.createNodeClient(new UpgradeAttemptParameters(
                new MachineKey(new SiteId("north"), "fleet", "m-1"),
                UID,
                7,
                MachineRole.WORKER,
                1,
                "0/a",
                null,
                drain,
                null));
    }

    /** One whose command says in which mode the site is. */
    public NodeClient worker(@Nullable SiteMode mode) {
        return site.createNodeClient(new UpgradeAttemptParameters(
                new MachineKey(new SiteId("north"), "fleet", "m-1"),
                UID,
                7,
                MachineRole.WORKER,
                1,
                "0/a",
                null,
                null,
                mode));
    }

    public NodeClient member() {
        return member("m-cp", "u-cp", "0/a");
    }

    public NodeClient member(String machine, String uid, String owner) {
        return site.createNodeClient(new UpgradeAttemptParameters(
                new MachineKey(new SiteId("north"), "fleet", machine), uid, 7, MachineRole.CONTROL_PLANE, 1, owner));
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
