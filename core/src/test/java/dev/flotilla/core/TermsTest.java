package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What binds a campaign besides its own waves: how clusters settle, whom it waits for, and how slots are shared. */
class TermsTest {
    private static final Duration SETTLE = Duration.ofMinutes(10);
    private static final Labels BLUE = CampaignBuilder.labels("colour", "blue");
    private static final Labels RED = CampaignBuilder.labels("colour", "red");

    private final Scene scene = Scene.open();

    private void clusters(int count, String prefix, Labels labels) {
        for (int i = 0; i < count; i++) {
            scene.cluster(Scene.SITE, prefix + i, 0, 1, labels);
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
    void aClusterRestsAfterASuccessAndOthersGoOn() {
        scene.cluster("a", 0, 2);
        scene.cluster("b", 0, 1);
        scene.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).settle(SETTLE).build());
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).containsExactly("b-w-0");
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(scene.explain("a-w-1").next()).contains("settles after a success until 2026-03-01T00:10:00Z");
        scene.pass(SETTLE.minusMillis(1));
        assertThat(scene.inFlight()).containsExactly("b-w-0");
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void aControlPlaneRestsBetweenItsMembersToo() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("up").settle(SETTLE).build());
        scene.succeed(scene.inFlight().get(0));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(SETTLE);
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void nodesAreEmptiedAsACampaignSays() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").draining(DrainMode.AUTO).build());
        assertThat(scene.command("a-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.drainMode()).isEqualTo(DrainMode.AUTO));
    }

    @Test
    void aStrictCampaignLeavesAClusterThatItFailedIn() {
        scene.cluster("a", 0, 3);
        scene.cluster("b", 0, 2);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).strict().build());
        scene.failForGood("a-w-0");
        assertThat(scene.inFlight()).containsExactly("b-w-0");
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(scene.explain("a-w-1").next()).contains("skip them or order a retry");
        scene.order(new OperatorOrderKey.SkipMachine(new CampaignName("up"), Scene.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void aStrictCampaignFinishesTheControlPlaneThatItBegan() {
        scene.cluster("a", 2, 2);
        hold("a-cp-1", true);
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(1)
                .workersAnyTime()
                .strict()
                .build());
        scene.succeed("a-cp-0");
        scene.failForGood("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        hold("a-cp-1", false);
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
        scene.succeed("a-cp-1");
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    private void hold(String member, boolean held) {
        MachineBuilder builder = MachineBuilder.of(Scene.SITE, "a", member)
                .role(MachineRole.CONTROL_PLANE)
                .owner(OwnerKind.CONTROL_PLANE, "a");
        scene.arrive((held ? builder.paused() : builder).build());
    }

    @Test
    void nobodyRestsAfterAFailureOrWithoutACall() {
        scene.cluster("a", 0, 3);
        scene.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).settle(SETTLE).build());
        scene.failForGood("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        scene.report("a-w-1", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(scene.inFlight()).containsExactly("a-w-2");
    }

    @Test
    void aRestOutlastsItsLeader() {
        scene.cluster("a", 0, 2);
        scene.campaign(
                CampaignBuilder.named("up").maxUnavailable(1).settle(SETTLE).build());
        scene.succeed("a-w-0");
        FleetState restored = new FleetState();
        for (RowChange rowChange : scene.rows.values()) {
            restored.put(rowChange);
        }
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
        Brain next = new Brain(FleetDecider.standard(), restored);
        List<Event> events = new ArrayList<>();
        next.due(scene.now.plus(SETTLE).minusMillis(1), Scene.MOST, d -> events.add(d.event()));
        assertThat(events).isEmpty();
        next.due(scene.now.plus(SETTLE), Scene.MOST, d -> events.add(d.event()));
        assertThat(events).containsExactly(Event.ATTEMPT_ADMITTED);
    }

    @ParameterizedTest
    @CsvSource({"100, 3", "67, 3", "66, 2", "34, 2", "33, 1", "1, 1"})
    void aCampaignWaitsForAShareOfAnother(int percent, int successes) {
        clusters(3, "b", BLUE);
        clusters(1, "r", RED);
        scene.campaign(campaign("first", "blue").build());
        scene.campaign(campaign("second", "red").after("first", percent).build());
        for (int i = 0; i < successes; i++) {
            assertThat(scene.closed("r0-w-0")).containsExactly(GateLabel.CAMPAIGN);
            assertThat(scene.explain("r0-w-0").next()).contains(percent + "% of campaign first has succeeded");
            scene.succeed("b" + i + "-w-0");
        }
        assertThat(scene.inFlight()).contains("r0-w-0");
    }

    @Test
    void itWaitsForOneThatIsNotThereOrWasAborted() {
        clusters(2, "b", BLUE);
        clusters(1, "r", RED);
        scene.campaign(campaign("second", "red").after("first", 50).build());
        assertThat(scene.inFlight()).isEmpty();
        scene.campaign(campaign("first", "blue").build());
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        scene.pass(Duration.ofHours(3));
        assertThat(scene.inFlight()).doesNotContain("r0-w-0");
    }

    @Test
    void whoJoinsACompleteCampaignDoesNotHoldUpWhoWaitedForIt() {
        clusters(1, "b", BLUE);
        scene.campaign(campaign("first", "blue").build());
        scene.succeed("b0-w-0");
        assertThat(scene.campaignStatus("first").state()).isEqualTo(CampaignState.COMPLETED);
        scene.cluster(Scene.SITE, "b1", 0, 1, BLUE);
        clusters(1, "r", RED);
        scene.campaign(campaign("second", "red").after("first", 100).build());
        assertThat(scene.inFlight()).containsExactly("r0-w-0");
    }

    @Test
    void whoWaitsClaimsNothingThatTheOtherNeeds() {
        clusters(2, "b", BLUE);
        scene.campaign(
                campaign("second", "blue").priority(90).after("first", 100).build());
        scene.campaign(campaign("first", "blue").priority(10).build());
        assertThat(scene.inFlight()).containsExactly("b0-w-0", "b1-w-0");
        scene.succeed("b0-w-0");
        scene.succeed("b1-w-0");
        assertThat(scene.attempt("b0-w-0").rolloutRef()).isEqualTo(driver("second"));
    }

    private Object driver(String name) {
        return new RolloutRef.CampaignRef(new CampaignName(name), scene.uid(new CampaignName(name)));
    }

    @Test
    void whoWouldWaitInACircleIsRefused() {
        scene.campaign(campaign("a", "blue").after("a", 100).build());
        assertThat(scene.events()).endsWith(Event.REJECTED);
        scene.campaign(campaign("b", "blue").after("c", 100).build());
        scene.campaign(campaign("c", "blue").after("d", 100).build());
        scene.campaign(campaign("d", "blue").after("b", 100).build());
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(scene.state.rollout(new CampaignName("d"))).isNull();
        scene.campaign(campaign("d", "blue").build());
        assertThat(scene.events()).contains(Event.CAMPAIGN_ACCEPTED);
    }

    @ParameterizedTest
    @CsvSource({"100, 100, 6, 6", "100, 300, 3, 9", "500, 100, 10, 2", "1, 1000, 1, 11"})
    void campaignsOfOnePriorityShareTheSlotsByWeight(int blue, int red, int blues, int reds) {
        scene.cap(12);
        clusters(20, "b", BLUE);
        clusters(20, "r", RED);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.campaign(campaign("blue", "blue").weight(blue).build());
        scene.campaign(campaign("red", "red").weight(red).build());
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).filteredOn(name -> name.startsWith("b")).hasSize(blues);
        assertThat(scene.inFlight()).filteredOn(name -> name.startsWith("r")).hasSize(reds);
    }

    @Test
    void whatOneCannotUseTheOtherHas() {
        scene.cap(12);
        clusters(2, "b", BLUE);
        clusters(20, "r", RED);
        scene.campaign(campaign("blue", "blue").weight(900).build());
        scene.campaign(campaign("red", "red").weight(100).build());
        assertThat(scene.inFlight()).hasSize(12);
    }

    @Test
    void aHigherPrioritySharesWithNobody() {
        scene.cap(12);
        clusters(20, "b", BLUE);
        clusters(20, "r", RED);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        Campaign low = campaign("low", "blue").weight(1000).priority(10).build();
        scene.campaign(low);
        scene.campaign(campaign("high", "red").weight(1).priority(20).build());
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).hasSize(12).allMatch(name -> name.startsWith("r"));
    }

    @Test
    void anEditOfAnEarlierEditionIsRefusedShowingBoth() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").weight(10).build());
        String first = CampaignContentHash.compute(scene.campaignStatus("up").acceptedCampaign());
        scene.campaign(CampaignBuilder.named("up").weight(20).basedOn(first).build());
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().constraints().weight())
                .isEqualTo(20);
        String second = CampaignContentHash.compute(scene.campaignStatus("up").acceptedCampaign());

        scene.campaign(CampaignBuilder.named("up").weight(30).basedOn(first).build());
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().constraints().weight())
                .isEqualTo(20);
        RejectedRecord refused = rejected();
        assertThat(refused.path()).isEqualTo("spec.basedOn");
        assertThat(refused.problem()).contains(first, second).isNotEqualTo(first);

        scene.campaign(CampaignBuilder.named("up").weight(30).basedOn(second).build());
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().constraints().weight())
                .isEqualTo(30);
    }

    @Test
    void whatWasAcceptedIsNotRefusedWhenItComesAgain() {
        scene.campaign(CampaignBuilder.named("up").build());
        String first = CampaignContentHash.compute(scene.campaignStatus("up").acceptedCampaign());
        Campaign edited = CampaignBuilder.named("up").weight(20).basedOn(first).build();
        scene.campaign(edited);
        scene.campaign(edited);
        assertThat(scene.rows.values()).noneMatch(RejectedRecord.class::isInstance);
        assertThat(scene.campaignStatus("up").acceptedCampaign()).isEqualTo(edited);
    }

    @Test
    void anEditOfNothingIsRefused() {
        scene.campaign(CampaignBuilder.named("up").basedOn("0123456789abcdef").build());
        assertThat(rejected().problem()).isEqualTo("there is no campaign up to edit");
        assertThat(scene.rows.values()).noneMatch(CampaignStatus.class::isInstance);
    }

    private RejectedRecord rejected() {
        return scene.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
