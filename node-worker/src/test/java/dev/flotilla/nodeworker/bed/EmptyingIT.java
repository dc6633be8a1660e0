package dev.flotilla.nodeworker.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.nodeworker.hands.Hands;
import dev.flotilla.nodeworker.hands.SiteSettings;
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
class EmptyingIT {
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/";

    private static Bed bed;

    @BeforeAll
    static void start() throws Exception {
        bed = new Bed(1, 2);
    }

    @AfterAll
    static void stop() {
        bed.close();
    }

    private static Hands hands(BedNode node, Duration timeout) throws Exception {
        SiteSettings usual = SiteSettings.DEFAULT;
        return bed.site(new SiteSettings(
                        usual.trigger(),
                        usual.guards(),
                        new DrainPolicy(DrainMode.ALWAYS, timeout, null, Duration.ofSeconds(1)),
                        usual.transport(),
                        null,
                        usual.tunnels(),
                        usual.connections(),
                        usual.requestsPerCluster(),
                        usual.timeout()))
                .hands(new Errand(node.machine(), bed.uid(node), 7, node.role(), 2, "0/here"));
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
    }

    /** A budget for pods with a label, once its controller has seen so many of them healthy. */
    private static void budget(String name, int minAvailable, int healthy) throws Exception {
        bed.workload.apply(BUDGETS + name, """
                {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %1$s, namespace: default},
                 spec: {minAvailable: %2$d, selector: {matchLabels: {app: %1$s}}}}""".formatted(name, minAvailable));
        Bed.await(
                "the budget " + name,
                () -> bed.workloadAdmin.get(BUDGETS + name) instanceof KubeResponse.SuccessResponse successResponse
                        && Long.valueOf(healthy).equals(successResponse.object().number("status", "currentHealthy")));
    }

    private static void runs(String pod, String node, String label) throws Exception {
        bed.pod("default", pod, node, "labels: {app: " + label + "}");
        Bed.await(pod + " to run", () -> bed.runs("default", pod));
    }

    @Test
    void podsLeaveAsFastAsTheirBudgetAllows() throws Exception {
        BedNode node = bed.node("w-1");
        runs("shop-1", "w-1", "shop");
        runs("shop-2", "w-2", "shop");
        budget("shop", 1, 2);
        Hands hands = hands(node, Duration.ofMinutes(1));
        assertThat(done(hands.guard(Instant.now().plusSeconds(60), () -> {}))).isNull();
        assertThat(bed.isGone("default", "shop-1")).isTrue();
        assertThat(bed.runs("default", "shop-2")).isTrue();
        assertThat(bed.runs("kube-system", node.proxy()))
                .as("what leads to k8sd")
                .isTrue();
        assertThat(bed.isUnschedulable(node)).isTrue();
        done(hands.undo());
        assertThat(bed.isUnschedulable(node)).isFalse();
        assertThat(bed.annotation(node, "flotilla.dev/attempt")).isNull();
    }

    @Test
    void aBudgetThatNeverAllowsItIsNamedAndTheNodeTakesPodsAgain() throws Exception {
        BedNode node = bed.node("w-2");
        runs("precious", "w-2", "never");
        budget("never", 1, 1);
        Hands hands = hands(node, Duration.ofSeconds(3));
        assertThat(done(hands.guard(Instant.now().plusSeconds(60), () -> {})))
                .contains("default/precious")
                .contains("never");
        assertThat(bed.runs("default", "precious")).isTrue();
        assertThat(bed.isUnschedulable(node)).isTrue();
        done(hands.undo());
        assertThat(bed.isUnschedulable(node)).isFalse();
    }
}
