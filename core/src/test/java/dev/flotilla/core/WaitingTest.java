package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.explain.GateCounts;
import dev.flotilla.core.explain.Glance;
import dev.flotilla.core.explain.RefusedChanges;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How many machines wait at which gate, and how each stands in a word. */
class WaitingTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    private Map<GateLabel, Integer> counts() {
        CampaignRollout campaign = Objects.requireNonNull(scene.state.rollout(UP));
        return GateCounts.of(scene.state, scene.gates, campaign, scene.now);
    }

    private Glance glance(String name) {
        scene.state.settle(scene.gates, scene.now);
        return Explain.glance(
                scene.state, scene.gates, Objects.requireNonNull(scene.state.machine(Scene.machine(name))), scene.now);
    }

    private RolloutRef up() {
        return new RolloutRef.CampaignRef(UP, scene.uid(UP));
    }

    @Test
    void eachWaitingMachineCountsAtTheFirstGateThatIsClosedToIt() {
        scene.cap(2);
        scene.cluster("a", 1, 2);
        scene.cluster("b", 0, 4);
        scene.arrive(MachineBuilder.like(scene.row("b-w-3")).onHold().build());
        scene.campaign(CampaignBuilder.named("up")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .maxUnavailable(1)
                .build());
        assertThat(scene.inFlight()).containsExactly("a-w-0", "b-w-0");
        assertThat(counts()).containsExactly(Map.entry(GateLabel.FLEET_CAP, 4));
        scene.arrive(Scene.policy(dev.flotilla.schemas.id.FleetScope.FLEET, null));
        assertThat(counts()).containsExactly(Map.entry(GateLabel.CLUSTER_HEALTH, 4));
    }

    @Test
    void whoWaitsOnlyForItsTurnCountsNowhere() {
        scene.cluster("a", 0, 2);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.waited(() -> {
            scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
            assertThat(counts()).isEmpty();
            assertThat(glance("a-w-0")).isEqualTo(new Glance("waiting", up(), null));
            assertThat(scene.explain("a-w-0").next()).isEqualTo("It starts as soon as its turn comes.");
        });
    }

    @Test
    void eachMachineStandsAsOneOfTheWordsSays() {
        scene.cap(1);
        scene.cluster("a", 0, 3);
        assertThat(glance("a-w-0")).isEqualTo(new Glance("idle", null, null));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(glance("a-w-0")).isEqualTo(new Glance("admitted", up(), null));
        assertThat(glance("a-w-1")).isEqualTo(new Glance("waiting", up(), GateLabel.FLEET_CAP));
        scene.step("a-w-0", AttemptStep.REFRESHING);
        assertThat(glance("a-w-0")).isEqualTo(new Glance("refreshing", up(), null));
        scene.succeed("a-w-0");
        assertThat(glance("a-w-0")).isEqualTo(new Glance("succeeded", up(), null));
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("a-w-2")), OperatorOrder.OrderVerb.SKIP);
        assertThat(glance("a-w-2")).isEqualTo(new Glance("skipped", up(), null));
        scene.cluster("b", 0, 1);
        scene.arrive(MachineBuilder.like(scene.row("b-w-0")).optedOut().build());
        assertThat(glance("b-w-0")).isEqualTo(new Glance("skipped", null, null));
        assertThat(scene.explain("b-w-0").state()).isEqualTo("skipped");
    }

    @Test
    void everyWordThatAStateCanBeIsKnown() {
        assertThat(Glance.states())
                .doesNotHaveDuplicates()
                .startsWith("idle", "waiting", "admitted", "preflight")
                .contains("unknown", "refreshing", "skipped", "quarantined", "succeeded")
                .hasSize(4 + AttemptStep.values().length + MachineOutcome.values().length);
        assertThat(List.of(MachineOutcome.values()))
                .allSatisfy(outcome -> assertThat(Glance.states()).contains(outcome.label()));
    }

    @Test
    void aStateThatNobodyHasSettledYetSaysTheSame() {
        scene.cap(1);
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").build());
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        assertThat(GateCounts.of(restored, scene.gates, Objects.requireNonNull(restored.rollout(UP)), scene.now))
                .isEqualTo(counts())
                .isNotEmpty();
    }

    @Test
    void aRefusedRecordOfNoTopicAndNoKeyIsNoRefusedChange() {
        refused("no.topic.of.ours", "up");
        refused("flotilla.policies", "no/key/of/ours");
        refused("flotilla.inventory.north", "site");
        assertThat(RefusedChanges.count(scene.state)).isZero();
        refused("flotilla.freezes", "fleet/freeze");
        assertThat(RefusedChanges.count(scene.state)).isEqualTo(1);
    }

    private void refused(String topic, String key) {
        scene.state.put(new RejectedRecord(
                new RejectedRecordKey(topic, 0, key), 1, RejectionReason.BAD_VALUE, "", "", "no", scene.now, true, null));
    }

    @Test
    void aWaitThatIsOverIsNoTimerAnyMoreOnceTheStateIsSettled() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.fail("a-w-0");
        assertThat(scene.state.nextTimer())
                .isEqualTo(
                        Objects.requireNonNull(scene.entry("a-w-0").retryAt()).toEpochMilli());
        scene.state.settle(scene.gates, scene.now.plus(java.time.Duration.ofHours(1)));
        assertThat(scene.state.nextTimer()).isEqualTo(Long.MAX_VALUE);
    }
}
