package dev.flotilla.nodeworker.bed;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.stub.KubeApiStub;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A worker towards real API servers that misbehave, and servers that pretend to be one. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class MisbehavingApiServerIT {
    private static final Instant FAR = Instant.now().plus(Duration.ofHours(1));

    private static SiteTestBed siteTestBed;
    private final AtomicLong ticks = new AtomicLong(1);
    private SiteClusters siteClusters;

    @BeforeAll
    static void startBed() throws Exception {
        siteTestBed = new SiteTestBed(3, 2);
    }

    @AfterAll
    static void stopBed() {
        siteTestBed.close();
    }

    @BeforeEach
    void open() throws Exception {
        siteTestBed.kubeconfig(Files.readString(siteTestBed.workload.kubeconfig()));
        String account = Files.readString(
                siteTestBed.management.kubeconfig(SiteTestBed.SERVICE_ACCOUNT, "system:serviceaccounts"));
        siteClusters = new SiteClusters(
                siteTestBed.vertx,
                KubeConnectionConfig.parseKubeconfig(account).toClientConfig(null, Duration.ofSeconds(10)),
                SiteUpgradeSettings.DEFAULT,
                InstantSource.system(),
                ticks::get);
    }

    @AfterEach
    void close() {
        siteClusters.close();
    }

    private NodeUpgrader nodeUpgrader(String node) {
        TestBedNode it = siteTestBed.node(node);
        return new NodeUpgraderFactory(siteTestBed.vertx, siteClusters, null)
                .createUpgrader(
                        new UpgradeAttemptParameters(it.machine(), siteTestBed.uid(it), 7, it.role(), 1, "0/here"),
                        false);
    }

    @Test
    void findsAClusterWithANewAddressAndAuthority() throws Exception {
        NodeUpgrader nodeUpgrader = nodeUpgrader("w-1");
        assertThat(done(nodeUpgrader.inspectNode(null))).isInstanceOf(NodeInspection.ObservedNode.class);
        try (KubeCluster rotated = KubeCluster.start(KubeOptions.apiServer())) {
            SiteTestBed.roles(rotated, "rbac-workload.yaml");
            rotated.apply("/api/v1/nodes/w-1", "{apiVersion: v1, kind: Node, metadata: {name: w-1}}");
            siteTestBed.workload.kill();
            siteTestBed.kubeconfig(Files.readString(rotated.kubeconfig()));
            assertThat(done(nodeUpgrader.inspectNode(null)))
                    .as("the old address")
                    .isInstanceOf(NodeInspection.Unreachable.class);
            ticks.addAndGet(Duration.ofSeconds(15).toNanos());
            assertThat(done(nodeUpgrader.inspectNode(null)))
                    .as("the new one")
                    .isInstanceOf(NodeInspection.ObservedNode.class);
        } finally {
            siteTestBed.workload.restart();
        }
    }

    @Test
    void doesNotFollowRedirectsOfAnApiServer() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("another");
        try (KubeApiStub elsewhere = KubeApiStub.plain(siteTestBed.vertx);
                KubeApiStub redirecting = KubeApiStub.secure(siteTestBed.vertx, authority.issue("api"))) {
            redirecting.redirect(elsewhere.url() + "/latest/meta-data");
            siteTestBed.kubeconfig(TwoClusterFixture.kubeconfig(redirecting.url(), authority, "token"));
            assertThat(done(nodeUpgrader("w-1").inspectNode(null)))
                    .isInstanceOfSatisfying(
                            NodeInspection.Unreachable.class,
                            unreachable ->
                                    assertThat(unreachable.text()).endsWith("307 a redirect, which is not followed"));
            assertThat(elsewhere.asked()).isEmpty();
        }
    }

    @Test
    void upgradesAMemberOnlyWhileTheDatastoreIsHealthy() throws Exception {
        NodeUpgrader member = nodeUpgrader("cp-1");
        done(member.inspectNode(null));
        try {
            assertThat(done(member.setGuards(FAR, () -> {}))).isNull();
            assertThat(done(member.checkPreconditions()))
                    .as("with /readyz/etcd, as its role lets it ask")
                    .isNull();
            siteTestBed.controlPlaneSays("EtcdClusterHealthy", "False");
            ticks.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(done(member.checkPreconditions()))
                    .isEqualTo("the control plane is not EtcdClusterHealthy (AsATestWants)");
            siteTestBed.controlPlaneSays("EtcdClusterHealthy", "True");
            ticks.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(done(member.checkPreconditions())).isNull();
        } finally {
            done(member.cleanUp());
        }
    }

    @Test
    void removesACordonThatIsOlderThanADay() throws Exception {
        String node = "/api/v1/nodes/w-2";
        String left =
                new AttemptAnnotation(3, "1/gone", List.of(), Instant.now().minus(Duration.ofDays(2))).text();
        assertThat(siteTestBed.workloadAdmin.mergePatch(
                        node,
                        ImmutableJson.object(
                                "metadata",
                                ImmutableJson.object(
                                        "annotations", ImmutableJson.object(AttemptAnnotation.ON_NODE, left)),
                                "spec",
                                ImmutableJson.object("unschedulable", true))))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        NodeUpgrader nodeUpgrader = nodeUpgrader("w-1");
        done(nodeUpgrader.inspectNode(null));
        try {
            assertThat(done(nodeUpgrader.setGuards(FAR, () -> {}))).isNull();
            assertThat(done(nodeUpgrader.checkPreconditions()))
                    .isEqualTo("other workers that are not Ready or are cordoned: 1; maxUnavailable is 1");
            assertThat(siteTestBed.isUnschedulable(siteTestBed.node("w-2"))).isFalse();
            assertThat(done(nodeUpgrader.checkPreconditions())).isNull();
        } finally {
            done(nodeUpgrader.cleanUp());
        }
    }
}
