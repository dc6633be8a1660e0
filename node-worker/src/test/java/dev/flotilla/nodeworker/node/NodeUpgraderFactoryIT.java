package dev.flotilla.nodeworker.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.kubernetes.SimApiServer;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node upgraders on an embedded fleet: real HTTP to its API servers, real HTTPS to its k8sd. */
class NodeUpgraderFactoryIT {
    private static final String SITE = "site-0";
    private static final double SPEED = 300;

    private static Vertx vertx;
    private static EmbeddedFleet fleet;
    private static SiteClusters siteClusters;
    private static NodeUpgraderFactory nodeUpgraders;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        fleet = get(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 1, 3, 2, 1, SPEED),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        get(fleet.runOnEventLoop(() -> {
            fleet.pinAllCertificates();
            return true;
        }));
        siteClusters = new SiteClusters(
                vertx,
                Config.fromKubeconfig(Objects.requireNonNull(fleet.kubeconfigs().get(SITE))),
                SiteUpgradeSettings.DEFAULT,
                InstantSource.system(),
                System::nanoTime);
        nodeUpgraders = new NodeUpgraderFactory(vertx, siteClusters, new HostPort("127.0.0.1", fleet.k8sdPort()));
    }

    @AfterAll
    static void stop() throws Exception {
        siteClusters.close();
        get(vertx.close());
    }

    @Test
    void upgradesAWorker() throws Exception {
        EmbeddedNode node = fleet.nodes().stream()
                .filter(each -> each.role() == MachineRole.WORKER)
                .findFirst()
                .orElseThrow();
        NodeUpgrader nodeUpgrader = nodeUpgraders.createUpgrader(
                new UpgradeAttemptParameters(
                        node.machine(), get(fleet.runOnEventLoop(node::uid)), 7, MachineRole.WORKER, 1, "0/here"),
                false);

        assertThat(get(nodeUpgrader.inspectNode(null)))
                .isInstanceOfSatisfying(
                        NodeInspection.ObservedNode.class,
                        status -> assertThat(status.ready()).isTrue());
        assertThat(get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(get(nodeUpgrader.setGuards(Instant.now().plusSeconds(60), () -> {})))
                .isNull();
        assertThat(get(nodeUpgrader.checkPreconditions())).isNull();
        CallResult callResult = get(nodeUpgrader.callUpgrade(new UpgradeTarget.Revision("1100"), () -> true));
        assertThat(callResult).isInstanceOf(CallResult.ChangeStarted.class);
        String change = ((CallResult.ChangeStarted) callResult).changeId();
        ChangeStatus status = get(nodeUpgrader.pollChange(change));
        while (status instanceof ChangeStatus.InProgress || status instanceof ChangeStatus.StatusUnavailable) {
            status = get(nodeUpgrader.pollChange(change));
        }
        assertThat(status).isEqualTo(new ChangeStatus.ChangeDone());
        get(nodeUpgrader.cleanUp());
        nodeUpgrader.releaseNode();
        assertThat(get(fleet.runOnEventLoop(
                        () -> fleet.ledger().calls(node.machine()).size())))
                .isEqualTo(1);
    }

    @Test
    void checksConditionsOfObjectsInBothClusters() throws Exception {
        EmbeddedNode node = fleet.nodes().getLast();
        get(fleet.runOnEventLoop(() -> {
            deployment(node.cluster().workload(), "coredns", "True");
            deployment(node.cluster().workload(), "metrics", "False");
            return deployment(node.cluster().management(), "providers", "True");
        }));
        NodeUpgrader nodeUpgrader = nodeUpgraders.createUpgrader(
                new UpgradeAttemptParameters(
                        node.machine(), get(fleet.runOnEventLoop(node::uid)), 9, MachineRole.WORKER, 1, "0/here"),
                false);
        HealthCheck well = condition("well", false, "kube-system", "app", "coredns");
        HealthCheck ill = condition("ill", false, "kube-system", "app", "metrics");
        HealthCheck management = condition("management", true, "kube-system", "app", "providers");
        HealthCheck none = condition("none", true, "kube-system", "app", "coredns");
        HealthCheck all = condition("all", false, null, "tier", "${cluster}");

        assertThat(get(nodeUpgrader.runChecks(List.of(well, ill, management, none, all))))
                .containsExactly(
                        new FailedCheck(
                                ill, "1 of 1 deployments are not Available True, such as metrics (False: for a test)"),
                        new FailedCheck(none, "there are no deployments with these labels"),
                        new FailedCheck(
                                all, "1 of 2 deployments are not Available True, such as metrics (False: for a test)"));
        nodeUpgrader.releaseNode();
    }

    private static HealthCheck condition(
            String name, boolean management, @Nullable String namespace, String label, String value) {
        return new HealthCheck(
                name,
                new HealthCheck.ObjectConditionProbe(
                        management,
                        "apps/v1",
                        "deployments",
                        namespace,
                        new Labels(new TreeMap<>(Map.of(label, value))),
                        "Available",
                        "True"),
                true,
                Duration.ofSeconds(10),
                List.of());
    }

    private static boolean deployment(SimApiServer cluster, String name, String available) {
        cluster.store()
                .put(
                        BuiltInResources.DEPLOYMENTS.named("kube-system", name),
                        ImmutableJson.object(
                                "metadata",
                                        ImmutableJson.object(
                                                "labels", ImmutableJson.object("app", name, "tier", "site-0-c-0")),
                                "status",
                                        ImmutableJson.object(
                                                "conditions",
                                                ImmutableJson.list(ImmutableJson.object(
                                                        "type", "Available",
                                                        "status", available,
                                                        "message", "for a test")))));
        return true;
    }

    @Test
    void requiresABackup() throws Exception {
        EmbeddedNode node = fleet.nodes().getLast();
        UpgradeAttemptParameters upgradeAttemptParameters = new UpgradeAttemptParameters(
                node.machine(),
                get(fleet.runOnEventLoop(node::uid)),
                8,
                MachineRole.WORKER,
                2,
                "0/here",
                Duration.ofHours(24),
                null,
                null,
                null);
        NodeUpgrader nodeUpgrader = nodeUpgraders.createUpgrader(upgradeAttemptParameters, false);
        get(nodeUpgrader.inspectNode(null));
        assertThat(get(nodeUpgrader.setGuards(Instant.now().plusSeconds(60), () -> {})))
                .startsWith("no backup: neither the machine nor its cluster has a valid flotilla.dev/backup-at");
        ObjectReference machine = BuiltInResources.MACHINES.named(
                node.machine().namespace(), node.machine().name());
        get(fleet.runOnEventLoop(() -> node.cluster()
                .management()
                .store()
                .change(
                        machine,
                        object -> ImmutableJson.with(
                                object,
                                Instant.now().minusSeconds(3_600).toString(),
                                "metadata",
                                "annotations",
                                "flotilla.dev/backup-at"))));
        get(nodeUpgrader.inspectNode(null));
        assertThat(get(nodeUpgrader.setGuards(Instant.now().plusSeconds(60), () -> {})))
                .isNull();
        assertThat(get(nodeUpgrader.checkPreconditions())).isNull();
        get(nodeUpgrader.cleanUp());
        nodeUpgrader.releaseNode();
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
