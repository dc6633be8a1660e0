package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeOptions;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** NodeUpgrades on a real API server, with the CRDs and the roles that are deployed. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class NodeUpgradeOnApiServerIT {
    private static final String API = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/";
    private static final String WORKER_ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/flotilla-node-upgrade-worker";
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.36.3");

    private static SiteTestBed siteTestBed;
    private static NodeUpgraderFactory nodeUpgraders;

    @BeforeAll
    static void start() throws Exception {
        siteTestBed = new SiteTestBed(
                1, 1, KubeOptions.apiServer().withControllers("clusterrole-aggregation-controller"));
        for (String crd : new String[] {"nodeupgrades", "nodeupgradetemplates"}) {
            SiteTestBed.apply(siteTestBed.management, Path.of("../deploy/crds", crd + ".yaml"));
        }
        nodeUpgraders =
                new NodeUpgraderFactory(siteTestBed.vertx, siteTestBed.site(SiteUpgradeSettings.DEFAULT), null);
        SiteTestBed.await("the CRDs to be served", () -> template("kubeadm", "{plan: kubeadm}"));
        allow();
    }

    @AfterAll
    static void stop() {
        siteTestBed.close();
    }

    /** The role that a controller of NodeUpgrades brings. */
    private static void allow() throws Exception {
        siteTestBed.management.apply(WORKER_ROLE, """
            {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: flotilla-node-upgrade-worker,
               labels: {flotilla.dev/aggregate-to-node-worker: 'true'}}, rules: [
               {apiGroups: [flotilla.dev], resources: [nodeupgrades], verbs: [get, create, patch]},
               {apiGroups: [flotilla.dev], resources: [nodeupgradetemplates], verbs: [get]}]}
            """);
        SiteTestBed.await(
                "the role to be aggregated",
                () -> get(upgrader(1, "kubeadm").connectToProvider()) instanceof ConnectResult.Connected);
    }

    private static boolean template(String name, String spec) {
        try {
            siteTestBed.management.apply(API + "nodeupgradetemplates/" + name, """
                {apiVersion: flotilla.dev/v1alpha1, kind: NodeUpgradeTemplate, metadata: {name: %s, namespace: fleet},
                 spec: {template: {spec: %s}}}
                """.formatted(name, spec));
            return true;
        } catch (IllegalStateException notServedYet) {
            return false;
        }
    }

    private static NodeUpgrader upgrader(long attempt, String template) {
        TestBedNode node = siteTestBed.node("w-1");
        return nodeUpgraders.createUpgrader(
                new UpgradeAttemptParameters(
                                node.machine(), siteTestBed.uid(node), attempt, node.role(), 1, "0/here")
                        .withNodeUpgrade(new NodeUpgradeParameters(
                                new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", template),
                                TARGET)),
                false);
    }

    private static String nameOf(long attempt) {
        TestBedNode node = siteTestBed.node("w-1");
        return NodeUpgradeName.of(node.machine(), siteTestBed.uid(node), TARGET, attempt);
    }

    private static KubeObject object(long attempt) {
        return ((KubeResponse.SuccessResponse) siteTestBed.managementAdmin.get(API + "nodeupgrades/" + nameOf(attempt)))
                .object();
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void report(long attempt, String phase) {
        assertThat(siteTestBed.managementAdmin.mergePatch(
                        API + "nodeupgrades/" + nameOf(attempt) + "/status",
                        ImmutableJson.object("status", ImmutableJson.object("phase", phase))))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
    }

    @Test
    void oneObjectIsCreatedReadAndAborted() {
        NodeUpgrader nodeUpgrader = upgrader(7, "kubeadm");
        assertThat(get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(siteTestBed.managementAdmin.get(API + "nodeupgrades/" + nameOf(7)).isMissing())
                .as("tried without creating it")
                .isTrue();
        assertThat(get(nodeUpgrader.callUpgrade(TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(nameOf(7)));
        String uid = object(7).uid();
        assertThat(get(nodeUpgrader.callUpgrade(TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(nameOf(7)));
        assertThat(object(7).uid()).isEqualTo(uid);
        assertThat(object(7).text("spec", "plan")).isEqualTo("kubeadm");
        assertThat(get(nodeUpgrader.pollChange(nameOf(7)))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(get(nodeUpgrader.abortChange(nameOf(7)))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(object(7).text("spec", "phase")).isEqualTo("Abort");
        report(7, "Aborted");
        assertThat(get(nodeUpgrader.pollChange(nameOf(7)))).isInstanceOf(ChangeStatus.ChangeFailed.class);
        siteTestBed.management.delete(API + "nodeupgrades/" + nameOf(7));
        assertThat(get(nodeUpgrader.pollChange(nameOf(7)))).isEqualTo(new ChangeStatus.ChangeForgotten());
    }

    @Test
    void whatTheApiServerRejectsIsKnownBeforeTheNodeIsDrained() {
        assertThat(get(upgrader(0, "kubeadm").connectToProvider()))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                    assertThat(refused.failureClass()).isEqualTo(FailureClass.TERMINAL);
                    assertThat(refused.text()).contains("422", "spec.attemptId");
                });
    }

    @Test
    void withoutTheControllersRoleNothingIsAllowed() throws Exception {
        siteTestBed.management.delete(WORKER_ROLE);
        try {
            SiteTestBed.await(
                    "the role to be gone",
                    () -> get(upgrader(9, "kubeadm").connectToProvider()) instanceof ConnectResult.ConnectionRefused);
            assertThat(get(upgrader(9, "kubeadm").connectToProvider()))
                    .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                        assertThat(refused.failureClass()).isEqualTo(FailureClass.RETRYABLE);
                        assertThat(refused.text())
                                .contains("403", "flotilla.dev/aggregate-to-node-worker: \"true\"");
                    });
        } finally {
            allow();
        }
    }
}
