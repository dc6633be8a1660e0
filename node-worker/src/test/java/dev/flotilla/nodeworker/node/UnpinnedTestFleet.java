package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.k8sd.K8sdTransportSetting;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** An embedded fleet of one cluster whose machines are not pinned yet, and node upgraders for them. */
final class UnpinnedTestFleet implements AutoCloseable {
    private static final String SITE = "site-0";
    private static final double SPEED = 300;

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedFleet fleet;
    private final SiteClusters siteClusters;
    private final SiteUpgradeSettings settings;
    private NodeUpgraderFactory nodeUpgraders;
    private long attempts;

    UnpinnedTestFleet(K8sdTransportSetting k8sdTransportSetting, int tunnels) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        fleet = get(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 1, 3, 2, 1, SPEED),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
        settings = new SiteUpgradeSettings(
                usual.siteMode(),
                usual.guards(),
                usual.drain(),
                k8sdTransportSetting,
                null,
                tunnels,
                usual.maxConnections(),
                usual.requestsPerCluster(),
                usual.timeout());
        siteClusters = new SiteClusters(
                vertx,
                Config.fromKubeconfig(Objects.requireNonNull(fleet.kubeconfigs().get(SITE))),
                settings,
                InstantSource.system(),
                System::nanoTime);
        nodeUpgraders = new NodeUpgraderFactory(vertx, siteClusters, new HostPort("127.0.0.1", fleet.k8sdPort()));
    }

    /** Connects to a closed port in place of the nodes from now on. */
    void closeDirectRoute() throws Exception {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nodeUpgraders =
                    new NodeUpgraderFactory(vertx, siteClusters, new HostPort("127.0.0.1", closed.getLocalPort()));
        }
    }

    EmbeddedNode worker(int number) {
        return node(MachineRole.WORKER, number);
    }

    EmbeddedNode member(int number) {
        return node(MachineRole.CONTROL_PLANE, number);
    }

    private EmbeddedNode node(MachineRole role, int number) {
        return fleet.nodes().stream()
                .filter(each -> each.role() == role)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    NodeUpgrader upgrader(EmbeddedNode node) throws Exception {
        return nodeUpgraders.createUpgrader(
                new UpgradeAttemptParameters(
                        node.machine(), get(fleet.runOnEventLoop(node::uid)), ++attempts, node.role(), 1, "0/here"),
                false);
    }

    int tunnels() {
        return nodeUpgraders.tunnels();
    }

    /** Polls until the change ends. */
    ChangeStatus end(NodeUpgrader nodeUpgrader, String change) throws Exception {
        ChangeStatus status = get(nodeUpgrader.pollChange(change));
        // Its k8sd restarts during the upgrade, and requests then get no response.
        while (status instanceof ChangeStatus.InProgress || status instanceof ChangeStatus.StatusUnavailable) {
            status = get(nodeUpgrader.pollChange(change));
        }
        return status;
    }

    /** Returns the number of port-forwards that the node's cluster has received. */
    long forwards(EmbeddedNode node) throws Exception {
        return get(fleet.runOnEventLoop(() -> node.cluster().workload().requestCounter().requests().entrySet().stream()
                .filter(each -> each.getKey().contains("portforward"))
                .mapToLong(each -> each.getValue())
                .sum()));
    }

    int calls(EmbeddedNode node) throws Exception {
        return get(
                fleet.runOnEventLoop(() -> fleet.ledger().calls(node.machine()).size()));
    }

    /** Returns the number of requests that any k8sd has received. */
    int requests() throws Exception {
        return fleet.k8sdRequests();
    }

    /** The ConfigMap with the pins of the node's cluster, as text. */
    String pins(EmbeddedNode node) throws Exception {
        return get(fleet.runOnEventLoop(() -> {
            StoredObject secret =
                    node.cluster().management().store().get(BuiltInResources.CONFIG_MAPS.named("fleet", pinsOf(node)));
            return secret == null ? "" : new String(ImmutableJson.bytes(secret.tree()), StandardCharsets.UTF_8);
        }));
    }

    void pinAnother(EmbeddedNode node) throws Exception {
        String value = "ab".repeat(32) + " " + get(fleet.runOnEventLoop(node::uid));
        on(() -> node.cluster()
                .management()
                .store()
                .put(
                        BuiltInResources.CONFIG_MAPS.named("fleet", pinsOf(node)),
                        ImmutableJson.object("data", ImmutableJson.object(node.name(), value))));
    }

    /** Writes a token for the node into its cluster's Secret. */
    void token(EmbeddedNode node, String token) throws Exception {
        String value = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        on(() -> node.cluster()
                .management()
                .store()
                .change(
                        BuiltInResources.SECRETS.named(
                                "fleet", node.cluster().key().name() + "-token"),
                        secret -> ImmutableJson.with(secret, value, "data", "node-token-" + node.name())));
    }

    void resetTrust(EmbeddedNode node) throws Exception {
        get(siteClusters.resetTrust(node.cluster().key(), node.machine()));
    }

    private static String pinsOf(EmbeddedNode node) {
        return node.cluster().key().name() + "-flotilla-pins";
    }

    void on(Runnable action) throws Exception {
        get(fleet.runOnEventLoop(() -> {
            action.run();
            return true;
        }));
    }

    <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        siteClusters.close();
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }
}
