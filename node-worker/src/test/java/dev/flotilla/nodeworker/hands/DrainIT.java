package dev.flotilla.nodeworker.hands;

import static dev.flotilla.nodeworker.stub.KubeStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusters.CAPI;
import static dev.flotilla.nodeworker.stub.TwoClusters.MACHINE;
import static dev.flotilla.nodeworker.stub.TwoClusters.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.management.GuardPolicy;
import dev.flotilla.nodeworker.management.Mark;
import dev.flotilla.nodeworker.stub.Sample;
import dev.flotilla.nodeworker.stub.TwoClusters;
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

class DrainIT {
    private static final Instant SOON = TwoClusters.NOW.plusSeconds(600);
    private static final String PODS = "/api/v1/namespaces/shop/pods/";
    private TwoClusters world;

    private Hands start(DrainMode mode) throws Exception {
        world = new TwoClusters(new SiteSettings(
                SiteMode.INTERCEPT,
                GuardPolicy.DEFAULT,
                new DrainPolicy(mode, Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofMillis(5)),
                SiteSettings.DEFAULT.transport(),
                null,
                SiteSettings.DEFAULT_TUNNELS,
                2,
                4,
                Duration.ofSeconds(10)));
        world.workload.put(PODS + "web-1", Sample.controlledBy(Sample.pod("w-1"), "ReplicaSet"));
        world.workload.put(PODS + "agent-1", Sample.controlledBy(Sample.pod("w-1"), "DaemonSet"));
        world.workload.put(PODS + "web-2", Sample.controlledBy(Sample.pod("w-2"), "ReplicaSet"));
        return world.worker(7, "0/a");
    }

    @AfterEach
    void stop() throws Exception {
        world.close();
    }

    private boolean unschedulable() {
        return world.workload.objects.get(NODE).getJsonObject("spec").getBoolean("unschedulable", false);
    }

    /** A pod that is leaving has left once it is looked for again. */
    private void podsLeave() {
        world.workload.before("GET /api/v1/pods", () -> world.workload.objects.remove(PODS + "web-1"));
    }

    @Test
    void aNodeIsEmptiedAndTakesPodsAgain() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isTrue();
        assertThat(Mark.read(world.workload.annotation(NODE, Mark.ON_NODE)).isOf(7, "0/a"))
                .isTrue();
        assertThat(world.workload.asked().stream().filter(one -> one.contains("eviction")))
                .containsExactly("POST " + PODS + "web-1/eviction");
        done(hands.undo());
        assertThat(unschedulable()).isFalse();
        assertThat(world.workload.annotation(NODE, Mark.ON_NODE)).isNull();
    }

    @Test
    void aBudgetThatNeverAllowsItIsNamedWhenTheTimeIsUp() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.protectedPods.add("shop/web-1");
        world.workload.before("POST " + PODS + "web-1/eviction", () -> world.pass(301_000));
        assertThat(done(hands.guard(SOON, () -> {})))
                .isEqualTo("the drain is not done in time: pod shop/web-1 (429 Cannot evict pod as it would violate the"
                        + " pod's disruption budget. The budget web needs 3 healthy pods)");
        done(hands.undo());
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void aBudgetThatAllowsItLaterIsWaitedFor() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 429);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(world.workload.asked().stream().filter(one -> one.contains("eviction")))
                .hasSize(2);
    }

    @Test
    void aPodThatNobodyCanEvictIsNotWaitedFor() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 500);
        assertThat(done(hands.guard(SOON, () -> {})))
                .isEqualTo("pod shop/web-1 cannot be evicted: 500 as the test wants it");
    }

    @Test
    void anApiServerThatIsAwayForAMomentIsWaitedFor() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 503);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'deletion': {'nodeDrainTimeoutSeconds': 120}}", "{'nodeDrainTimeout': '2m0s'}"})
    void aMachineMayBoundItsDrain(String spec) throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.management.objects.get(MACHINE).getJsonObject("spec").mergeIn(Sample.json(spec));
        world.workload.protectedPods.add("shop/web-1");
        world.workload.before("POST " + PODS + "web-1/eviction", () -> world.pass(121_000));
        assertThat(done(hands.guard(SOON, () -> {}))).startsWith("the drain is not done in time: pod shop/web-1");
    }

    @Test
    void aDrainIsToldOnceAndOnlyWherePodsHaveToGo() throws Exception {
        AtomicInteger told = new AtomicInteger();
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.refuse("POST " + PODS + "web-1/eviction", 429);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(hands.guard(SOON, told::incrementAndGet))).isNull();
        assertThat(told).hasValue(1);
        assertThat(done(world.worker(8, "0/a").guard(SOON, told::incrementAndGet)))
                .isNull();
        assertThat(told).hasValue(1);
    }

    @Test
    void aMarkOfALaterAttemptHoldsTheNodeForADay() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        Mark later = new Mark(9_000, "0/b", java.util.List.of(), TwoClusters.NOW);
        world.workload.touch(NODE, Mark.ON_NODE, later.text());
        assertThat(done(hands.guard(SOON, () -> {}))).isEqualTo("attempt 9000 has cordoned the node");
        world.pass(Duration.ofDays(1).plusSeconds(1).toMillis());
        Hands next = world.worker(8, "0/a");
        assertThat(done(next.guard(SOON, () -> {}))).isNull();
        done(next.undo());
        assertThat(world.workload.annotation(NODE, Mark.ON_NODE)).isNull();
    }

    @Test
    void aNodeThatSomebodyHasLeftCordonedForADayIsUncordonedByWhoeverComesBy() throws Exception {
        Hands hands = start(DrainMode.NEVER);
        world.workload.touch(
                "/api/v1/nodes/w-2",
                Mark.ON_NODE,
                new Mark(3, "1/gone", java.util.List.of(), TwoClusters.NOW.minus(Duration.ofDays(2))).text());
        world.workload.objects.get("/api/v1/nodes/w-2").getJsonObject("spec").put("unschedulable", true);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(done(hands.judge())).isEqualTo("1 other workers are away");
        assertThat(done(hands.judge())).isNull();
        assertThat(world.workload.annotation("/api/v1/nodes/w-2", Mark.ON_NODE)).isNull();
    }

    @Test
    void undoingStopsADrain() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.protectedPods.add("shop/web-1");
        Future<String> guarded = hands.guard(SOON, () -> {});
        done(hands.undo());
        assertThat(done(guarded)).isEqualTo("the drain was stopped");
        assertThat(unschedulable()).isFalse();
        assertThat(world.management.annotation(MACHINE, Mark.ON_MACHINE)).isNull();
    }

    @Test
    void aNodeThatSomebodyElseCordonedStaysTheirs() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        world.workload.objects.get(NODE).getJsonObject("spec").put("unschedulable", true);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        done(hands.undo());
        assertThat(unschedulable()).isTrue();
    }

    @Test
    void whatACrashedWorkerCordonedIsUncordonedByItsSuccessor() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.objects.remove(PODS + "web-1");
        done(hands.guard(SOON, () -> {}));
        Hands successor = world.worker(7, "0/b");
        done(successor.takeOver());
        done(hands.undo());
        assertThat(unschedulable()).isTrue();
        done(successor.undo());
        assertThat(unschedulable()).isFalse();
        assertThat(world.workload.annotation(NODE, Mark.ON_NODE)).isNull();
    }

    @Test
    void aCordonWhoseAnswerWasLostIsUndone() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.workload.refuse("PATCH " + NODE, 500);
        assertThat(done(hands.guard(SOON, () -> {}))).startsWith("the node cannot be cordoned: 500");
        world.workload.touch(NODE, Mark.ON_NODE, new Mark(7, "0/a", java.util.List.of()).text());
        world.workload.objects.get(NODE).getJsonObject("spec").put("unschedulable", true);
        done(hands.undo());
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void aRuleLeavesPodsAlone() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.management.put(
                CAPI + "machinedrainrules/leave-shop",
                Sample.json("{'spec': {'drain': {'behavior': 'Skip'}, 'pods': [{'namespaceSelector':"
                        + " {'matchLabels': {'kubernetes.io/metadata.name': 'shop'}}}]}}"));
        world.workload.put(
                "/api/v1/namespaces/shop",
                Sample.json("{'metadata': {'labels': {'kubernetes.io/metadata.name': 'shop'}}}"));
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(world.workload.asked()).noneMatch(one -> one.contains("eviction"));
    }

    @Test
    void withoutAnotherNodeForThePodsTheyStay() throws Exception {
        Hands hands = start(DrainMode.AUTO);
        world.workload.objects.keySet().removeIf(path -> path.startsWith("/api/v1/nodes/") && !path.equals(NODE));
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isFalse();
    }

    @Test
    void withAnotherNodeForThePodsTheyGo() throws Exception {
        Hands hands = start(DrainMode.AUTO);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"NEVER, ALWAYS, true", "ALWAYS, NEVER, false", "ALWAYS, , true", "NEVER, , false"})
    void whatTheCommandSaysGoesBeforeWhatTheSiteSays(DrainMode site, @Nullable DrainMode asked, boolean emptied)
            throws Exception {
        start(site);
        world.workload.before("POST " + PODS + "web-1/eviction", this::podsLeave);
        assertThat(done(world.worker(asked).guard(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isEqualTo(emptied);
    }

    @Test
    void aMachineThatIsExcludedIsNotEmptied() throws Exception {
        Hands hands = start(DrainMode.ALWAYS);
        world.management.touch(MACHINE, "machine.cluster.x-k8s.io/exclude-node-draining", "");
        assertThat(done(hands.guard(SOON, () -> {}))).isNull();
        assertThat(unschedulable()).isFalse();
    }
}
