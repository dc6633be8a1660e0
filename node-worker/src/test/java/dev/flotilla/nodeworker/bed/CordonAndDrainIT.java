package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.testkit.kube.KubeBinaries;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A node is emptied by real evictions, which a real controller's budgets allow or refuse. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class CordonAndDrainIT {
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/";

    private static SiteTestBed siteTestBed;

    @BeforeAll
    static void start() throws Exception {
        siteTestBed = new SiteTestBed(1, 2);
    }

    @AfterAll
    static void stop() {
        siteTestBed.close();
    }

    private static NodeUpgrader nodeUpgrader(TestBedNode node, Duration timeout) throws Exception {
        SiteUpgradeSettings usual = SiteUpgradeSettings.DEFAULT;
        SiteUpgradeSettings draining = new SiteUpgradeSettings(
                usual.siteMode(),
                usual.guards(),
                new DrainPolicy(DrainMode.ALWAYS, timeout, null, Duration.ofSeconds(1)),
                usual.transport(),
                null,
                usual.maxTunnels(),
                usual.maxConnections(),
                usual.requestsPerCluster(),
                usual.timeout());
        return new NodeUpgraderFactory(siteTestBed.vertx, siteTestBed.site(draining), null)
                .createUpgrader(
                        new UpgradeAttemptParameters(
                                node.machine(), siteTestBed.uid(node), 7, node.role(), 2, "0/here"),
                        false);
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    /** A budget for pods with a label, once its controller has seen so many of them healthy. */
    private static void budget(String name, int minAvailable, int healthy) throws Exception {
        siteTestBed.workload.apply(BUDGETS + name, """
            {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %1$s, namespace: default},
             spec: {minAvailable: %2$d, selector: {matchLabels: {app: %1$s}}}}\
            """.formatted(name, minAvailable));
        SiteTestBed.await(
                "the budget " + name,
                () -> siteTestBed.workloadAdmin.get(BUDGETS + name)
                                instanceof KubeResponse.SuccessResponse successResponse
                        && Long.valueOf(healthy).equals(successResponse.object().number("status", "currentHealthy")));
    }

    private static void runs(String pod, String node, String label) throws Exception {
        siteTestBed.pod("default", pod, node, "labels: {app: " + label + "}");
        SiteTestBed.await(pod + " to run", () -> siteTestBed.runs("default", pod));
    }

    @Test
    void evictsPodsAsFastAsTheirBudgetAllows() throws Exception {
        TestBedNode node = siteTestBed.node("w-1");
        runs("shop-1", "w-1", "shop");
        runs("shop-2", "w-2", "shop");
        budget("shop", 1, 2);
        NodeUpgrader nodeUpgrader = nodeUpgrader(node, Duration.ofMinutes(1));
        assertThat(done(nodeUpgrader.setGuards(Instant.now().plusSeconds(60), () -> {})))
                .isNull();
        assertThat(siteTestBed.isGone("default", "shop-1")).isTrue();
        assertThat(siteTestBed.runs("default", "shop-2")).isTrue();
        assertThat(siteTestBed.runs("kube-system", node.proxy()))
                .as("what leads to k8sd")
                .isTrue();
        assertThat(siteTestBed.isUnschedulable(node)).isTrue();
        done(nodeUpgrader.cleanUp());
        assertThat(siteTestBed.isUnschedulable(node)).isFalse();
        assertThat(siteTestBed.annotation(node, "flotilla.dev/attempt")).isNull();
    }

    @Test
    void namesABudgetThatNeverAllowsEvictionAndUncordonsTheNode() throws Exception {
        TestBedNode node = siteTestBed.node("w-2");
        runs("precious", "w-2", "never");
        budget("never", 1, 1);
        NodeUpgrader nodeUpgrader = nodeUpgrader(node, Duration.ofSeconds(3));
        assertThat(done(nodeUpgrader.setGuards(Instant.now().plusSeconds(60), () -> {})))
                .contains("default/precious")
                .contains("never");
        assertThat(siteTestBed.runs("default", "precious")).isTrue();
        assertThat(siteTestBed.isUnschedulable(node)).isTrue();
        done(nodeUpgrader.cleanUp());
        assertThat(siteTestBed.isUnschedulable(node)).isFalse();
    }
}
