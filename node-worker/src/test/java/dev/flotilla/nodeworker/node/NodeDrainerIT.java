package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.CAPI;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.GuardAnnotationPolicy;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.workload.DrainPolicy;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.SiteMode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeDrainerIT {
    private static final Instant SOON = TwoClusterFixture.NOW.plusSeconds(600);
    private static final String PODS = "/api/v1/namespaces/shop/pods/";
    private TwoClusterFixture world;

    private NodeUpgrader start(DrainMode mode) throws Exception {
        world = new TwoClusterFixture(new SiteUpgradeSettings(
                SiteMode.INTERCEPT,
                GuardAnnotationPolicy.DEFAULT,
                new DrainPolicy(mode, Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofMillis(5)),
                SiteUpgradeSettings.DEFAULT.transport(),
                null,
                SiteUpgradeSettings.DEFAULT_TUNNELS,
                2,
                4,
                Duration.ofSeconds(10)));
        world.workload.put(PODS + "web-1", SampleObjects.controlledBy(SampleObjects.pod("w-1"), "ReplicaSet"));
        world.workload.put(PODS + "agent-1", SampleObjects.controlledBy(SampleObjects.pod("w-1"), "DaemonSet"));
        world.workload.put(PODS + "web-2", SampleObjects.controlledBy(SampleObjects.pod("w-2"), "ReplicaSet"));
        return world.worker(7, "0/a");
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    private boolean unschedulable() {
        return world.workload.objects.get(NODE).getJsonObject("spec").getBoolean("unschedulable", false);
    }

    /** Removes the evicted pod before the next list of pods. */
    private void podsLeave() {
        world.workload.before("GET /api/v1/pods", () -> world.workload.objects.remove(PODS + "web-1"));
    }

    @Test
    void drainsAndUncordonsANode() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isTrue();
        assertThat(AttemptAnnotation.parse(world.workload.annotation(NODE, AttemptAnnotation.ON_NODE))
                        .belongsTo(7, "0/a"))
                .isTrue();
        assertThat(world.workload.asked().stream().filter(one -> one.contains("eviction")))
                .containsExactly("POST " + PODS + "web-1/eviction");
        done(nodeUpgrader.cleanUp());
        assertThat(unschedulable()).isFalse();
        assertThat(world.workload.annotation(NODE, AttemptAnnotation.ON_NODE)).isNull();
    }

    @Test
    void namesTheBudgetWhenTheDrainTimesOut() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.protectedPods.add("shop/web-1");
        world.workload.before("POST " + PODS + "web-1/eviction", () -> world.pass(301_000));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {})))
                .isEqualTo("the drain timed out: pod shop/web-1 (429 Cannot evict pod as it would violate the"
                        + " pod's disruption budget. The budget web needs 3 healthy pods)");
        done(nodeUpgrader.cleanUp());
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void waitsForABudget() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 429);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(world.workload.asked().stream().filter(one -> one.contains("eviction")))
                .hasSize(2);
    }

    @Test
    void doesNotWaitForAPodThatCannotBeEvicted() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 500);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {})))
                .isEqualTo("pod shop/web-1 cannot be evicted: 500 rejected by the test");
    }

    @Test
    void waitsForAnUnavailableApiServer() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 503);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'deletion': {'nodeDrainTimeoutSeconds': 120}}", "{'nodeDrainTimeout': '2m0s'}"})
    void endsADrainAtTheMachinesTimeout(String spec) throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.management.objects.get(MACHINE).getJsonObject("spec").mergeIn(SampleObjects.json(spec));
        world.workload.protectedPods.add("shop/web-1");
        world.workload.before("POST " + PODS + "web-1/eviction", () -> world.pass(121_000));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).startsWith("the drain timed out: pod shop/web-1");
    }

    @Test
    void reportsADrainOnceAndOnlyIfPodsAreEvicted() throws Exception {
        AtomicInteger drainsStarted = new AtomicInteger();
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 429);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(nodeUpgrader.setGuards(SOON, drainsStarted::incrementAndGet)))
                .isNull();
        assertThat(drainsStarted).hasValue(1);
        assertThat(done(world.worker(8, "0/a").setGuards(SOON, drainsStarted::incrementAndGet)))
                .isNull();
        assertThat(drainsStarted).hasValue(1);
    }

    @Test
    void cordonOfANewerAttemptBlocksForADay() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        AttemptAnnotation later = new AttemptAnnotation(9_000, "0/b", java.util.List.of(), TwoClusterFixture.NOW);
        world.workload.touch(NODE, AttemptAnnotation.ON_NODE, later.text());
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isEqualTo("attempt 9000 has cordoned the node");
        world.pass(Duration.ofDays(1).plusSeconds(1).toMillis());
        NodeUpgrader next = world.worker(8, "0/a");
        assertThat(done(next.setGuards(SOON, () -> {}))).isNull();
        done(next.cleanUp());
        assertThat(world.workload.annotation(NODE, AttemptAnnotation.ON_NODE)).isNull();
    }

    @Test
    void uncordonsANodeWhoseAttemptAnnotationIsOlderThanADay() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.NEVER);
        world.workload.touch(
                "/api/v1/nodes/w-2",
                AttemptAnnotation.ON_NODE,
                new AttemptAnnotation(3, "1/gone", java.util.List.of(), TwoClusterFixture.NOW.minus(Duration.ofDays(2)))
                        .text());
        world.workload.objects.get("/api/v1/nodes/w-2").getJsonObject("spec").put("unschedulable", true);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(done(nodeUpgrader.checkPreconditions()))
                .isEqualTo("other workers that are not Ready or are cordoned: 1; maxUnavailable is 1");
        assertThat(done(nodeUpgrader.checkPreconditions())).isNull();
        assertThat(world.workload.annotation("/api/v1/nodes/w-2", AttemptAnnotation.ON_NODE))
                .isNull();
    }

    @Test
    void cleanupStopsADrain() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.protectedPods.add("shop/web-1");
        Future<String> guarded = nodeUpgrader.setGuards(SOON, () -> {});
        done(nodeUpgrader.cleanUp());
        assertThat(done(guarded)).isEqualTo("the drain was stopped");
        assertThat(unschedulable()).isFalse();
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }

    @Test
    void keepsACordonOfOthers() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        world.workload.objects.get(NODE).getJsonObject("spec").put("unschedulable", true);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        done(nodeUpgrader.cleanUp());
        assertThat(unschedulable()).isTrue();
    }

    @Test
    void successorUncordonsTheNodeOfACrashedWorker() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        done(nodeUpgrader.setGuards(SOON, () -> {}));
        NodeUpgrader successor = world.successor(7, "0/b");
        done(successor.inspectNode(null));
        done(nodeUpgrader.cleanUp());
        assertThat(unschedulable()).isTrue();
        done(successor.cleanUp());
        assertThat(unschedulable()).isFalse();
        assertThat(world.workload.annotation(NODE, AttemptAnnotation.ON_NODE)).isNull();
    }

    /** The next worker finds no report of the attempt, so that it does not know of the cordon. */
    @ParameterizedTest
    @ValueSource(strings = {"0/a", "0/b"})
    void uncordonsTheNodeOfAWorkerThatCrashedBeforeItsFirstReport(String owner) throws Exception {
        NodeUpgrader crashed = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        done(crashed.setGuards(SOON, () -> {}));
        world.management.touch(MACHINE, "flotilla.dev/hold", "");
        NodeUpgrader next = world.worker(7, owner);
        assertThat(done(next.setGuards(SOON, () -> {}))).isEqualTo("the machine has annotation flotilla.dev/hold");
        assertThat(unschedulable()).isTrue();
        done(next.cleanUp());
        assertThat(unschedulable()).isFalse();
        assertThat(world.workload.annotation(NODE, AttemptAnnotation.ON_NODE)).isNull();
        assertThat(world.management.annotation(MACHINE, AttemptAnnotation.ON_MACHINE))
                .isNull();
    }

    @Test
    void uncordonsAfterALostResponse() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.workload.refuse("PATCH " + NODE, 500);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).startsWith("the node cannot be cordoned: 500");
        world.workload.touch(
                NODE, AttemptAnnotation.ON_NODE, new AttemptAnnotation(7, "0/a", java.util.List.of()).text());
        world.workload.objects.get(NODE).getJsonObject("spec").put("unschedulable", true);
        done(nodeUpgrader.cleanUp());
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void drainRuleSkipsPods() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.management.put(
                CAPI + "machinedrainrules/leave-shop",
                SampleObjects.json("{'spec': {'drain': {'behavior': 'Skip'}, 'pods': [{'namespaceSelector':"
                        + " {'matchLabels': {'kubernetes.io/metadata.name': 'shop'}}}]}}"));
        world.workload.put(
                "/api/v1/namespaces/shop",
                SampleObjects.json("{'metadata': {'labels': {'kubernetes.io/metadata.name': 'shop'}}}"));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(world.workload.asked()).noneMatch(one -> one.contains("eviction"));
    }

    @Test
    void autoDoesNotDrainTheOnlyNode() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.AUTO);
        world.workload.objects.keySet().removeIf(path -> path.startsWith("/api/v1/nodes/") && !path.equals(NODE));
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void autoDrainsIfThereIsAnotherNode() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.AUTO);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"NEVER, ALWAYS, true", "ALWAYS, NEVER, false", "ALWAYS, , true", "NEVER, , false"})
    void commandOverridesTheSitesDrainMode(DrainMode site, @Nullable DrainMode asked, boolean emptied)
            throws Exception {
        start(site);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(world.worker(asked).setGuards(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isEqualTo(emptied);
    }

    @Test
    void doesNotDrainAnExcludedMachine() throws Exception {
        NodeUpgrader nodeUpgrader = start(DrainMode.ALWAYS);
        world.management.touch(MACHINE, "machine.cluster.x-k8s.io/exclude-node-draining", "");
        assertThat(done(nodeUpgrader.setGuards(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isFalse();
    }
}
