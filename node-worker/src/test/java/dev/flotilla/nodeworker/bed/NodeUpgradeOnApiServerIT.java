package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.testkit.kube.KubeBinaries;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** NodeUpgrades on a real API server, with the CRDs and the roles that are deployed. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class NodeUpgradeOnApiServerIT {
    private static NodeUpgradeTestBed testBed;
    private static NodeUpgraderFactory nodeUpgraders;
    private static TestBedNode node;

    @BeforeAll
    static void start() throws Exception {
        testBed = new NodeUpgradeTestBed(1, 1);
        node = testBed.siteTestBed.node("w-1");
        nodeUpgraders = new NodeUpgraderFactory(
                testBed.siteTestBed.vertx, testBed.siteTestBed.site(SiteUpgradeSettings.DEFAULT), null);
    }

    @AfterAll
    static void stop() {
        testBed.close();
    }

    private static NodeUpgrader upgrader(long attempt) {
        return nodeUpgraders.createUpgrader(
                new UpgradeAttemptParameters(
                                node.machine(), testBed.siteTestBed.uid(node), attempt, node.role(), 1, "0/here")
                        .withNodeUpgrade(
                                new NodeUpgradeParameters(NodeUpgradeTestBed.TEMPLATE, NodeUpgradeTestBed.TARGET)),
                false);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static KubeObject object(long attempt) {
        return Objects.requireNonNull(testBed.object(node, attempt));
    }

    @Test
    void oneObjectIsCreatedReadAndAborted() throws Exception {
        String name = testBed.nameOf(node, 7);
        NodeUpgrader nodeUpgrader = upgrader(7);
        assertThat(get(nodeUpgrader.connectToProvider())).isEqualTo(new ConnectResult.Connected());
        assertThat(testBed.object(node, 7)).as("tried without creating it").isNull();
        assertThat(get(nodeUpgrader.callUpgrade(NodeUpgradeTestBed.TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(name));
        String uid = object(7).uid();
        assertThat(get(nodeUpgrader.callUpgrade(NodeUpgradeTestBed.TARGET, () -> true)))
                .isEqualTo(new CallResult.ChangeStarted(name));
        assertThat(object(7).uid()).isEqualTo(uid);
        assertThat(object(7).text("spec", "plan")).isEqualTo("kubeadm");
        assertThat(get(nodeUpgrader.pollChange(name))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(get(nodeUpgrader.abortChange(name))).isInstanceOf(ChangeStatus.InProgress.class);
        assertThat(object(7).text("spec", "phase")).isEqualTo("Abort");
        testBed.report(node, 7, "Aborted");
        assertThat(get(nodeUpgrader.pollChange(name))).isInstanceOf(ChangeStatus.ChangeAborted.class);
        testBed.siteTestBed.management.delete(NodeUpgradeTestBed.API + "nodeupgrades/" + name);
        assertThat(get(nodeUpgrader.pollChange(name))).isEqualTo(new ChangeStatus.ChangeForgotten());
    }

    @Test
    void whatTheApiServerRejectsIsKnownBeforeTheNodeIsDrained() throws Exception {
        assertThat(get(upgrader(0).connectToProvider()))
                .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                    assertThat(refused.failureClass()).isEqualTo(FailureClass.TERMINAL);
                    assertThat(refused.text()).contains("422", "spec.attemptId");
                });
    }

    @Test
    void withoutTheControllersRoleNothingIsAllowed() throws Exception {
        testBed.forbid();
        try {
            assertThat(get(upgrader(9).connectToProvider()))
                    .isInstanceOfSatisfying(ConnectResult.ConnectionRefused.class, refused -> {
                        assertThat(refused.failureClass()).isEqualTo(FailureClass.RETRYABLE);
                        assertThat(refused.text()).contains("403", "flotilla.dev/aggregate-to-node-worker: \"true\"");
                    });
        } finally {
            testBed.allow();
        }
    }
}
