package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Counts blocked machines by gate, and the one-word state of each machine. */
class BlockedMachineCounterTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private Map<GateLabel, Integer> counts() {
        CampaignRollout campaign = Objects.requireNonNull(fleetScenario.state.rollout(UP));
        return BlockedMachineCounter.countByGate(fleetScenario.state, fleetScenario.gates, campaign, fleetScenario.now);
    }

    private MachineSummary summarize(String name) {
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        return MachineExplainer.summarizeMachine(
                fleetScenario.state,
                fleetScenario.gates,
                Objects.requireNonNull(fleetScenario.state.machine(FleetScenario.machine(name))),
                fleetScenario.now);
    }

    private @Nullable MachineSummary summarizeIn(CampaignName campaign, String name) {
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        return MachineExplainer.summarizeInCampaign(
                fleetScenario.state,
                fleetScenario.gates,
                Objects.requireNonNull(fleetScenario.state.rollout(campaign)),
                Objects.requireNonNull(fleetScenario.state.machine(FleetScenario.machine(name))),
                fleetScenario.now);
    }

    private RolloutRef up() {
        return new RolloutRef.CampaignRef(UP, fleetScenario.uid(UP));
    }

    @Test
    void countsEachWaitingMachineAtItsFirstClosedGate() {
        fleetScenario.cap(2);
        fleetScenario.cluster("a", 1, 2);
        fleetScenario.cluster("b", 0, 4);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("b-w-3")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .maxUnavailable(1)
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0", "b-w-0");
        assertThat(counts()).containsExactly(Map.entry(GateLabel.FLEET_CAP, 4));
        fleetScenario.receive(FleetScenario.policy(dev.flotilla.schemas.id.FleetScope.FLEET, null));
        assertThat(counts()).containsExactly(Map.entry(GateLabel.CLUSTER_HEALTH, 4));
    }

    @Test
    void doesNotCountMachinesThatWaitForTheirTurn() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
            assertThat(counts()).isEmpty();
            assertThat(summarize("a-w-0")).isEqualTo(new MachineSummary("waiting", up(), null));
            assertThat(fleetScenario.explain("a-w-0").nextStep()).isEqualTo("It starts when its turn comes.");
        });
    }

    @Test
    void everyMachineHasOneOfTheStates() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        assertThat(summarize("a-w-0")).isEqualTo(new MachineSummary("not-targeted", null, null));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(summarize("a-w-0")).isEqualTo(new MachineSummary("admitted", up(), null));
        assertThat(summarize("a-w-1")).isEqualTo(new MachineSummary("waiting", up(), GateLabel.FLEET_CAP));
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        assertThat(summarize("a-w-0")).isEqualTo(new MachineSummary("refreshing", up(), null));
        fleetScenario.succeed("a-w-0");
        assertThat(summarize("a-w-0")).isEqualTo(new MachineSummary("succeeded", up(), null));
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-2")), OperatorOrder.OrderVerb.SKIP);
        assertThat(summarize("a-w-2")).isEqualTo(new MachineSummary("skipped", up(), null));
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("b-w-0")).optedOut().build());
        assertThat(summarize("b-w-0")).isEqualTo(new MachineSummary("skipped", null, null));
        assertThat(fleetScenario.explain("b-w-0").state()).isEqualTo("skipped");
    }

    @Test
    void aMachineHasAStateInEachOfItsCampaigns() {
        CampaignName next = new CampaignName("next");
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        fleetScenario.succeed("a-w-0");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-2")), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(summarizeIn(UP, "a-w-0")).isEqualTo(new MachineSummary("succeeded", up(), null));

        fleetScenario.campaign(CampaignBuilder.named("next")
                .target("channel=1.34-classic/stable")
                .build());
        RolloutRef nextRef = new RolloutRef.CampaignRef(next, fleetScenario.uid(next));
        assertThat(summarize("a-w-0").rolloutRef()).isEqualTo(nextRef);
        assertThat(summarizeIn(UP, "a-w-0")).isEqualTo(new MachineSummary("succeeded", up(), null));
        assertThat(summarizeIn(UP, "a-w-1")).isEqualTo(new MachineSummary("admitted", up(), null));
        assertThat(summarizeIn(UP, "a-w-2")).isEqualTo(new MachineSummary("skipped", up(), null));
        assertThat(summarizeIn(next, "a-w-0")).isEqualTo(summarize("a-w-0"));
        assertThat(summarizeIn(next, "a-w-1"))
                .satisfies(summary -> assertThat(summary.state()).isEqualTo("waiting"))
                .satisfies(summary -> assertThat(summary.rolloutRef()).isEqualTo(nextRef));
        fleetScenario.campaign(CampaignBuilder.named("heads")
                .select(CampaignBuilder.only(MachineRole.CONTROL_PLANE))
                .build());
        assertThat(summarizeIn(new CampaignName("heads"), "a-w-0")).isNull();
    }

    @Test
    void listsAllStates() {
        assertThat(MachineSummary.allStates())
                .doesNotHaveDuplicates()
                .startsWith("not-targeted", "waiting", "admitted", "preflight")
                .contains("unknown", "refreshing", "skipped", "quarantined", "succeeded")
                .hasSize(4 + AttemptStep.values().length + MachineOutcome.values().length);
        assertThat(List.of(MachineOutcome.values()))
                .allSatisfy(outcome -> assertThat(MachineSummary.allStates()).contains(outcome.label()));
    }

    @Test
    void refreshesTheDerivedStateBeforeItCounts() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        assertThat(BlockedMachineCounter.countByGate(
                        restored, fleetScenario.gates, Objects.requireNonNull(restored.rollout(UP)), fleetScenario.now))
                .isEqualTo(counts())
                .isNotEmpty();
    }

    @Test
    void doesNotCountRejectedRecordsWithoutTopicOrKey() {
        refused("no.topic.of.ours", "up");
        refused("flotilla.policies", "no/key/of/ours");
        refused("flotilla.inventory.north", "site");
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isZero();
        refused("flotilla.freezes", "fleet/freeze");
        assertThat(RejectedChangeCounter.countRejectedChanges(fleetScenario.state))
                .isEqualTo(1);
    }

    private void refused(String topic, String key) {
        fleetScenario.state.put(new RejectedRecord(
                new RejectedRecordKey(topic, 0, key),
                1,
                RejectionReason.BAD_VALUE,
                "",
                "",
                "no",
                fleetScenario.now,
                true,
                null));
    }

    @Test
    void removesTheTimerOfAFinishedWait() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.state.dueWork().nextTimerAt())
                .isEqualTo(Objects.requireNonNull(fleetScenario.entry("a-w-0").retryAt())
                        .toEpochMilli());
        fleetScenario.state.refreshDerivedState(
                fleetScenario.gates, fleetScenario.now.plus(java.time.Duration.ofHours(1)));
        assertThat(fleetScenario.state.dueWork().nextTimerAt()).isEqualTo(Long.MAX_VALUE);
    }
}
