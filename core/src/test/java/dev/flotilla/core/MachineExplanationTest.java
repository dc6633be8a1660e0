package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Explanations of machines: which gate is closed, with which values, and what happens next. */
class MachineExplanationTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void started(CampaignBuilder campaign) {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(campaign.build());
    }

    private ClosedGate only(String machine) {
        List<ClosedGate> closed = fleetScenario.explain(machine).closedGates();
        assertThat(closed).hasSize(1);
        return closed.get(0);
    }

    private String next(String machine) {
        return fleetScenario.explain(machine).nextStep();
    }

    @Test
    void aFullCapNamesItsScope() {
        fleetScenario.cap(1);
        started(CampaignBuilder.named("up"));
        assertThat(only("a-w-1").message()).isEqualTo("The fleet has 1 machine in flight; the cap is 1.");
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null));
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, new CountOrPercent.Count(3)));
        fleetScenario.cluster("b", 0, 1);
        assertThat(only("b-w-0").message()).isEqualTo("Site north has 3 machines in flight; the cap is 3.");
    }

    @Test
    void namesTheUpgradeTaskThatRequestsTheUpgrade() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        for (String name : List.of("a-w-0", "a-w-1")) {
            fleetScenario.receive(new UpgradeIntent(
                    FleetScenario.machine(name),
                    FleetScenario.uidOf(name),
                    UpgradeTarget.parse("revision=7"),
                    fleetScenario.now,
                    new UpgradeTaskRef(null, "to-7", "t-uid")));
        }
        assertThat(next("a-w-0")).startsWith("UpgradeTask to-7 requests it. Its worker may call until");
        assertThat(next("a-w-1")).startsWith("UpgradeTask to-7 requests it. The fleet has 1 machine in flight");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), "revision=8");
        assertThat(next("a-w-1")).startsWith("The fleet has");
    }

    @Test
    void theCapsOfACampaignAndAClusterNameTheirScope() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        assertThat(only("a-w-1").message()).isEqualTo("Campaign up has 1 machine in flight; the cap is 1.");
        fleetScenario.campaign(CampaignBuilder.named("up").clusterInFlight(2).build());
        assertThat(only("a-w-2").message())
                .isEqualTo("Cluster north/default/a has 2 machines in flight; the cap is 2.");
    }

    @Test
    void aCampaignThatStartsNothingSaysWhy() {
        started(CampaignBuilder.named("up").startAt(FleetScenario.START.plus(Duration.ofHours(1))));
        assertThat(fleetScenario.explain("a-w-0").closedGates())
                .first()
                .satisfies(closedGate -> assertThat(closedGate.message()).isEqualTo("Campaign up is not started."));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(FleetScenario.START.plus(Duration.ofHours(2)))
                .inFlight(new CountOrPercent.Count(1))
                .build());
        fleetScenario.advance(Duration.ofHours(2));
        assertThat(fleetScenario.explain("a-w-1").closedGates())
                .first()
                .satisfies(
                        closedGate -> assertThat(closedGate.message()).isEqualTo("Campaign up is past its deadline."));
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(fleetScenario.explain("a-w-1").closedGates())
                .first()
                .satisfies(closedGate ->
                        assertThat(closedGate.message()).isEqualTo("Campaign up is paused: pause by ada: test."));
    }

    @Test
    void aPausedCampaignNamesItsHalfUpgradedControlPlane() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("a-cp-0");
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.report("a-cp-1", new AttemptReport.Cancelled());
        assertThat(next("a-cp-1")).endsWith("The control plane of cluster north/default/a is half upgraded.");
    }

    @Test
    void theClusterOrderNamesTheMachineInFlight() {
        fleetScenario.cluster("a", 2, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(only("a-cp-1").message())
                .isEqualTo("Control plane first, one at a time: another control-plane machine"
                        + " (north/default/a-cp-0) is in flight.");
        assertThat(only("a-w-0").message())
                .isEqualTo("Control plane first, one at a time: a control-plane machine (north/default/a-cp-0) is"
                        + " in flight.");
    }

    @Test
    void theClusterOrderSaysWhyWorkersWaitForTheControlPlane() {
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.fail("a-cp-0");
        assertThat(only("a-w-0").message())
                .isEqualTo("Control plane first, one at a time: the control plane is not at its target yet.");
        fleetScenario.advance(Duration.ofMinutes(2));
        fleetScenario.quarantine("a-cp-0");
        assertThat(only("a-w-0").message())
                .isEqualTo("Control plane first, one at a time: a control-plane machine (north/default/a-cp-0) is"
                        + " quarantined: skip it or retry it.");
    }

    @Test
    void theClusterOrderNamesAQuarantinedMember() {
        fleetScenario.cluster("a", 2, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        fleetScenario.quarantine("a-cp-0");
        assertThat(closed("a-cp-1", GateLabel.CLUSTER_ORDER).message())
                .isEqualTo("Control plane first, one at a time: a control-plane machine (north/default/a-cp-0) is"
                        + " quarantined: skip it or retry it.");
    }

    @Test
    void aWaveNamesTheMissingApproval() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary",
                        List.of(),
                        LabelSelector.ALL,
                        new CountOrPercent.Count(1),
                        Wave.WaveApproval.AFTER,
                        100,
                        Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        List<String> canary = fleetScenario.inFlight();
        canary.forEach(fleetScenario::succeed);
        assertThat(only(canary.equals(List.of("a-w-0")) ? "b-w-0" : "a-w-0"))
                .isEqualTo(new ClosedGate(
                        GateLabel.WAVE,
                        "not approved",
                        "approved",
                        "Wave rest starts when wave canary is approved: run flotilla campaign approve up canary"
                                + " --reason TEXT.",
                        null,
                        true));
    }

    @Test
    void aSilentSiteSaysSinceWhen() {
        fleetScenario.advance(Duration.ofMinutes(5));
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        started(CampaignBuilder.named("up"));
        assertThat(only("a-w-0").actual()).isEqualTo("silent since " + fleetScenario.now);
        assertThat(only("a-w-0").required()).isEqualTo("a heartbeat in the last 30 s");
        fleetScenario.receive(new UpgradePolicy(
                FleetScenario.SITE,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                UpgradePolicy.MaintenanceCalendar.NONE,
                Duration.ofSeconds(70)));
        assertThat(only("a-w-0").required()).isEqualTo("a heartbeat in the last 70 s");
    }

    @Test
    void theFleetsPolicySetsTheHeartbeatTimeoutUnlessTheSitesDoes() {
        assertThat(fleetScenario.state.heartbeatTimeout(FleetScenario.SITE))
                .isEqualTo(UpgradePolicy.DEFAULT_HEARTBEAT_TIMEOUT);
        fleetScenario.receive(new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                UpgradePolicy.MaintenanceCalendar.NONE,
                Duration.ofSeconds(50)));
        assertThat(fleetScenario.state.heartbeatTimeout(FleetScenario.SITE)).isEqualTo(Duration.ofSeconds(50));
        fleetScenario.receive(FleetScenario.policy(FleetScenario.SITE, null));
        assertThat(fleetScenario.state.heartbeatTimeout(FleetScenario.SITE)).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void namesFirstWhatNeverOpensWithoutAPerson() {
        started(CampaignBuilder.named("up")
                .target("version=v1.33.2")
                .startAt(fleetScenario.now.plus(Duration.ofHours(1))));

        assertThat(fleetScenario.closed("a-w-1"))
                .startsWith(GateLabel.CAMPAIGN_NOT_RUNNING)
                .contains(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(fleetScenario.explain("a-w-1").closedGatesForPersonsFirst())
                .first()
                .satisfies(gate -> assertThat(gate.gate()).isEqualTo(GateLabel.MACHINE_NOT_ELIGIBLE));
        assertThat(next("a-w-1"))
                .startsWith("The machine's provider is k8sd, which applies channel=, revision= and localPath=, and the"
                        + " target is version=v1.33.2")
                .contains("Also closed: campaign-not-running");
    }

    @Test
    void aFreezeIsASentence() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        assertThat(closed("a-w-1", GateLabel.FREEZE).message())
                .isEqualTo("The fleet is frozen by the order of ada: test.");
    }

    @Test
    void namesAnUnreadableRecordOfASite() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        fleetScenario.makeUnreadable("flotilla.policies", "north");
        assertThat(fleetScenario.explain("a-w-1").closedGates()).first().satisfies(closedGate -> {
            assertThat(closedGate.gate()).isEqualTo(GateLabel.REJECTED_INPUT);
            assertThat(closedGate.message()).contains("north");
        });
        fleetScenario.makeUnreadable("flotilla.orders", "site/north/freeze");
        assertThat(fleetScenario.explain("a-w-1").closedGates())
                .first()
                .satisfies(closedGate -> assertThat(closedGate.message()).contains("site/north/freeze"));
    }

    @Test
    void aMachineSaysWhyItIsNotEligible() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-1");
        assertThat(closed("a-w-1", GateLabel.MACHINE_NOT_ELIGIBLE).message())
                .startsWith("The machine has an inventory row that cannot be read");
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(fleetScenario.gates.closed(java.util.Optional.ofNullable(fleetScenario.state.candidateOf(
                                java.util.Optional.ofNullable(fleetScenario.state.rollout(UP))
                                        .orElseThrow(),
                                java.util.Optional.ofNullable(
                                                fleetScenario.state.machine(FleetScenario.machine("a-w-0")))
                                        .orElseThrow(),
                                fleetScenario.now))
                        .orElseThrow()))
                .anyMatch(closedGate -> closedGate.message().equals("The machine has an open attempt."));
    }

    private ClosedGate closed(String machine, GateLabel gate) {
        return fleetScenario.explain(machine).closedGates().stream()
                .filter(closedGate -> closedGate.gate() == gate)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMachineInFlightSaysWhatIsExpectedNext() {
        started(CampaignBuilder.named("up"));
        assertThat(next("a-w-0"))
                .isEqualTo(
                        "Its worker may call until " + FleetScenario.START.plus(CommandLeaseTimeouts.DURATION) + ".");
        fleetScenario.step("a-w-0", AttemptStep.GUARDING);
        assertThat(next("a-w-0"))
                .isEqualTo(
                        "Its worker may call until " + FleetScenario.START.plus(CommandLeaseTimeouts.DURATION) + ".");
        fleetScenario.step("a-w-0", AttemptStep.STARTING);
        assertThat(next("a-w-0"))
                .isEqualTo("It should end by " + FleetScenario.START.plus(CommandLeaseTimeouts.ATTEMPT_DEADLINE) + ".");
        fleetScenario.report("a-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        assertThat(next("a-w-0")).startsWith("Its outcome has been unknown since " + FleetScenario.START);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(next("a-w-1")).endsWith(". It is being cancelled.");
    }

    @Test
    void aFinishedMachineSaysHowItEnded() {
        started(CampaignBuilder.named("up"));
        fleetScenario.succeed("a-w-0");
        assertThat(next("a-w-0")).isEqualTo("Nothing more is requested.");
        fleetScenario.quarantine("a-w-1");
        assertThat(next("a-w-1")).endsWith("it failed with refresh-error: snap said never");
        fleetScenario.fail("a-w-2");
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(next("a-w-2")).isEqualTo("Its campaign is over.");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-2")).optedOut().build());
        assertThat(next("a-w-2")).isEqualTo("It has opted out.");
    }

    @Test
    void aDeletedMachineContinuesWhenItsRowIsBack() {
        started(CampaignBuilder.named("up"));
        fleetScenario.fail("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("a-w-0"))));
        assertThat(next("a-w-0")).isEqualTo("Its inventory row is deleted; it continues when the row is back.");
    }

    @Test
    void explainsUnknownAndUntargetedMachines() {
        fleetScenario.cluster("a", 0, 1);
        assertThat(next("a-w-0")).isEqualTo("No campaign or intent selects it.");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).optedOut().build());
        assertThat(next("a-w-0")).isEqualTo("It has opted out.");
        MachineKey nobody = FleetScenario.machine("nobody");
        assertThat(MachineExplainer.explainMachine(fleetScenario.state, fleetScenario.gates, nobody, fleetScenario.now)
                        .nextStep())
                .isEqualTo("No inventory row names this machine.");
    }

    /** A row that says what is known changes nothing, but after an unreadable row it opens the cluster. */
    @Test
    void aReadableClusterRowOpensItsCluster() {
        fleetScenario.cluster("a", 0, 1);
        ClusterRow row = new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1);
        fleetScenario.makeUnreadable("flotilla.inventory.north", "cluster/default/a");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.receive(row);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(row);
        assertThat(fleetScenario.decisions).hasSize(before);
    }
}
