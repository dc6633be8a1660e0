package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The constraints of a campaign: cluster soak, dependencies, and weights for slots. */
class CampaignConstraintsTest {
    private static final Duration SOAK = Duration.ofMinutes(10);
    private static final Labels BLUE = CampaignBuilder.labels("colour", "blue");
    private static final Labels RED = CampaignBuilder.labels("colour", "red");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void clusters(int count, String prefix, Labels labels) {
        for (int i = 0; i < count; i++) {
            fleetScenario.cluster(FleetScenario.SITE, prefix + i, 0, 1, labels);
        }
    }

    private static CampaignBuilder campaign(String name, String colour) {
        return CampaignBuilder.named(name)
                .select(new MachineSelection(
                        List.of(),
                        CampaignBuilder.where("colour", colour),
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of()));
    }

    @Test
    void aClusterSoaksAfterASuccessWhileOthersContinue() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).clusterSoak(SOAK).build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(fleetScenario.explain("a-w-1").nextStep())
                .contains("soaks after a success until 2026-03-01T00:10:00Z");
        fleetScenario.advance(SOAK.minusMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
        fleetScenario.advance(Duration.ofMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void aControlPlaneSoaksBetweenItsMembers() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").clusterSoak(SOAK).build());
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(SOAK);
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void commandsCarryTheCampaignsDrainMode() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").draining(DrainMode.AUTO).build());
        assertThat(fleetScenario.command("a-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.drainMode()).isEqualTo(DrainMode.AUTO));
    }

    @Test
    void aStrictCampaignStopsInAClusterWithAQuarantinedMachine() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.cluster("b", 0, 2);
        fleetScenario.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).strict().build());
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(fleetScenario.explain("a-w-1").nextStep()).contains("skip or retry them");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(new CampaignName("up"), FleetScenario.machine("a-w-0")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void aStrictCampaignFinishesAHalfUpgradedControlPlane() {
        fleetScenario.cluster("a", 2, 2);
        hold("a-cp-1", true);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(1)
                .workersAnyTime()
                .strict()
                .build());
        fleetScenario.succeed("a-cp-0");
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        hold("a-cp-1", false);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
        fleetScenario.succeed("a-cp-1");
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    private void hold(String member, boolean held) {
        MachineRowBuilder builder = MachineRowBuilder.of(FleetScenario.SITE, "a", member)
                .role(MachineRole.CONTROL_PLANE)
                .owner(OwnerKind.CONTROL_PLANE, "a");
        fleetScenario.receive((held ? builder.paused() : builder).build());
    }

    @Test
    void noSoakFollowsAFailureOrASuccessWithoutACall() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).clusterSoak(SOAK).build());
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        fleetScenario.report(
                "a-w-1", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-2");
    }

    @Test
    void aSoakOutlastsItsLeader() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).clusterSoak(SOAK).build());
        fleetScenario.succeed("a-w-0");
        FleetState restored = new FleetState();
        for (RowChange rowChange : fleetScenario.rows.values()) {
            restored.put(rowChange);
        }
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
        DecisionEngine next = new DecisionEngine(FleetDecider.standard(), restored);
        List<DecisionEvent> events = new ArrayList<>();
        next.decideDueWork(fleetScenario.now.plus(SOAK).minusMillis(1), FleetScenario.MOST, d -> events.add(d.event()));
        assertThat(events).isEmpty();
        next.decideDueWork(fleetScenario.now.plus(SOAK), FleetScenario.MOST, d -> events.add(d.event()));
        assertThat(events).containsExactly(DecisionEvent.ATTEMPT_ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({"100, 3", "67, 3", "66, 2", "34, 2", "33, 1", "1, 1"})
    void aCampaignWaitsForAPercentageOfItsDependency(int percent, int successes) {
        clusters(3, "b", BLUE);
        clusters(1, "r", RED);
        fleetScenario.campaign(campaign("first", "blue").build());
        fleetScenario.campaign(campaign("second", "red").after("first", percent).build());
        for (int i = 0; i < successes; i++) {
            assertThat(fleetScenario.closed("r0-w-0")).containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING);
            assertThat(fleetScenario.explain("r0-w-0").nextStep())
                    .contains(percent + "% of campaign first has succeeded");
            fleetScenario.succeed("b" + i + "-w-0");
        }
        assertThat(fleetScenario.inFlight()).contains("r0-w-0");
    }

    @Test
    void aCampaignWaitsForAMissingOrAbortedDependency() {
        clusters(2, "b", BLUE);
        clusters(1, "r", RED);
        fleetScenario.campaign(campaign("second", "red").after("first", 50).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.campaign(campaign("first", "blue").build());
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.advance(Duration.ofHours(3));
        assertThat(fleetScenario.inFlight()).doesNotContain("r0-w-0");
    }

    @Test
    void aMachineThatJoinsACompletedDependencyDoesNotBlockItsDependents() {
        clusters(1, "b", BLUE);
        fleetScenario.campaign(campaign("first", "blue").build());
        fleetScenario.succeed("b0-w-0");
        assertThat(fleetScenario.campaignStatus("first").state()).isEqualTo(CampaignState.COMPLETED);
        fleetScenario.cluster(FleetScenario.SITE, "b1", 0, 1, BLUE);
        clusters(1, "r", RED);
        fleetScenario.campaign(campaign("second", "red").after("first", 100).build());
        assertThat(fleetScenario.inFlight()).containsExactly("r0-w-0");
    }

    @Test
    void aWaitingCampaignClaimsNoMachines() {
        clusters(2, "b", BLUE);
        fleetScenario.campaign(
                campaign("second", "blue").priority(90).after("first", 100).build());
        fleetScenario.campaign(campaign("first", "blue").priority(10).build());
        assertThat(fleetScenario.inFlight()).containsExactly("b0-w-0", "b1-w-0");
        fleetScenario.succeed("b0-w-0");
        fleetScenario.succeed("b1-w-0");
        assertThat(fleetScenario.attempt("b0-w-0").rolloutRef()).isEqualTo(campaignRef("second"));
    }

    private Object campaignRef(String name) {
        return new RolloutRef.CampaignRef(new CampaignName(name), fleetScenario.uid(new CampaignName(name)));
    }

    @Test
    void rejectsADependencyCycle() {
        fleetScenario.campaign(campaign("a", "blue").after("a", 100).build());
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        fleetScenario.campaign(campaign("b", "blue").after("c", 100).build());
        fleetScenario.campaign(campaign("c", "blue").after("d", 100).build());
        fleetScenario.campaign(campaign("d", "blue").after("b", 100).build());
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        assertThat(fleetScenario.state.rollout(new CampaignName("d"))).isNull();
        fleetScenario.campaign(campaign("d", "blue").build());
        assertThat(fleetScenario.events()).contains(DecisionEvent.CAMPAIGN_ACCEPTED);
    }

    @ParameterizedTest
    @CsvSource({"100, 100, 6, 6", "100, 300, 3, 9", "500, 100, 10, 2", "1, 1000, 1, 11"})
    void campaignsOfOnePriorityShareTheSlotsByWeight(int blue, int red, int blues, int reds) {
        fleetScenario.cap(12);
        clusters(20, "b", BLUE);
        clusters(20, "r", RED);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(campaign("blue", "blue").weight(blue).build());
        fleetScenario.campaign(campaign("red", "red").weight(red).build());
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight())
                .filteredOn(name -> name.startsWith("b"))
                .hasSize(blues);
        assertThat(fleetScenario.inFlight())
                .filteredOn(name -> name.startsWith("r"))
                .hasSize(reds);
    }

    @Test
    void slotsThatOneCampaignCannotUseGoToTheOther() {
        fleetScenario.cap(12);
        clusters(2, "b", BLUE);
        clusters(20, "r", RED);
        fleetScenario.campaign(campaign("blue", "blue").weight(900).build());
        fleetScenario.campaign(campaign("red", "red").weight(100).build());
        assertThat(fleetScenario.inFlight()).hasSize(12);
    }

    @Test
    void aHigherPriorityTakesAllSlots() {
        fleetScenario.cap(12);
        clusters(20, "b", BLUE);
        clusters(20, "r", RED);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        Campaign low = campaign("low", "blue").weight(1000).priority(10).build();
        fleetScenario.campaign(low);
        fleetScenario.campaign(campaign("high", "red").weight(1).priority(20).build());
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).hasSize(12).allMatch(name -> name.startsWith("r"));
    }

    @Test
    void rejectsAnEditOfAnOldContentHash() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").weight(10).build());
        String first =
                CampaignContentHash.compute(fleetScenario.campaignStatus("up").acceptedCampaign());
        fleetScenario.campaign(
                CampaignBuilder.named("up").weight(20).basedOn(first).build());
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().weight())
                .isEqualTo(20);
        String second =
                CampaignContentHash.compute(fleetScenario.campaignStatus("up").acceptedCampaign());

        fleetScenario.campaign(
                CampaignBuilder.named("up").weight(30).basedOn(first).build());
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().weight())
                .isEqualTo(20);
        RejectedRecord refused = rejected();
        assertThat(refused.path()).isEqualTo("spec.expectedContentHash");
        assertThat(refused.problem()).contains(first, second).isNotEqualTo(first);

        fleetScenario.campaign(
                CampaignBuilder.named("up").weight(30).basedOn(second).build());
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().weight())
                .isEqualTo(30);
    }

    @Test
    void acceptsAnUnchangedCampaignAgain() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        String first =
                CampaignContentHash.compute(fleetScenario.campaignStatus("up").acceptedCampaign());
        Campaign edited = CampaignBuilder.named("up").weight(20).basedOn(first).build();
        fleetScenario.campaign(edited);
        fleetScenario.campaign(edited);
        assertThat(fleetScenario.rows.values()).noneMatch(RejectedRecord.class::isInstance);
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign()).isEqualTo(edited);
    }

    @Test
    void rejectsAnEditOfAMissingCampaign() {
        fleetScenario.campaign(
                CampaignBuilder.named("up").basedOn("0123456789abcdef").build());
        assertThat(rejected().problem()).isEqualTo("there is no campaign up to edit");
        assertThat(fleetScenario.rows.values()).noneMatch(CampaignStatus.class::isInstance);
    }

    private RejectedRecord rejected() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
