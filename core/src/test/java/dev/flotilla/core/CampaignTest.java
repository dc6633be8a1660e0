package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.GateCounts;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.LabelSelector.LabelOperator;
import dev.flotilla.schemas.row.LabelSelector.LabelRequirement;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CampaignTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @Test
    void hasTheNumberOfItsAcceptanceAsUid() {
        scene.campaign(CampaignBuilder.named("up").build());
        Decision accepted = scene.decisions.stream()
                .filter(decision -> decision.event() == Event.CAMPAIGN_ACCEPTED)
                .findFirst()
                .orElseThrow();
        assertThat(scene.uid(UP)).isEqualTo(accepted.seq());
    }

    @Test
    void isCompleteWhenAllItsMachinesHaveEnded() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("a-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        scene.failForGood("a-w-1");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void isNotCompleteBeforeItSelectsAnything() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.pass(Duration.ofHours(1));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        scene.cluster("a", 0, 1);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    static Stream<Arguments> selections() {
        SiteId north = Scene.SITE;
        LabelSelector gold = CampaignBuilder.where("tier", "gold");
        LabelSelector notGold = new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.NOT_IN, List.of("gold"))));
        LabelSelector hasTier = new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.EXISTS, List.of())));
        LabelSelector noTier = new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.DOES_NOT_EXIST, List.of())));
        return Stream.of(
                select(
                        "a site",
                        new MachineSelection(List.of(north), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()),
                        4),
                select(
                        "another site",
                        new MachineSelection(
                                List.of(new SiteId("south")),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(),
                                List.of(),
                                List.of()),
                        0),
                select(
                        "clusters by label",
                        new MachineSelection(List.of(), gold, LabelSelector.ALL, List.of(), List.of(), List.of()),
                        2),
                select(
                        "clusters without a value",
                        new MachineSelection(List.of(), notGold, LabelSelector.ALL, List.of(), List.of(), List.of()),
                        2),
                select(
                        "clusters with a label",
                        new MachineSelection(List.of(), hasTier, LabelSelector.ALL, List.of(), List.of(), List.of()),
                        2),
                select(
                        "clusters without a label",
                        new MachineSelection(List.of(), noTier, LabelSelector.ALL, List.of(), List.of(), List.of()),
                        2),
                select(
                        "machines by label",
                        new MachineSelection(
                                List.of(),
                                LabelSelector.ALL,
                                CampaignBuilder.where("gpu", "yes"),
                                List.of(),
                                List.of(),
                                List.of()),
                        1),
                select(
                        "workers",
                        new MachineSelection(
                                List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(MachineRole.WORKER), List.of(), List.of()),
                        4),
                select(
                        "control planes",
                        new MachineSelection(
                                List.of(),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(MachineRole.CONTROL_PLANE),
                                List.of(),
                                List.of()),
                        0),
                select(
                        "a current release",
                        new MachineSelection(
                                List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of("channel=old"), List.of()),
                        1),
                select(
                        "all but one",
                        new MachineSelection(
                                List.of(),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(),
                                List.of(),
                                List.of(Scene.machine("plain-w-1"))),
                        3));
    }

    private static Arguments select(String what, MachineSelection selection, int machines) {
        return Arguments.of(what, selection, machines);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("selections")
    void selects(String what, MachineSelection selection, int machines) {
        scene.cluster(Scene.SITE, "gilded", 0, 2, CampaignBuilder.labels("tier", "gold"));
        scene.cluster("plain", 0, 2);
        scene.arrive(MachineBuilder.like(scene.row("plain-w-0"))
                .labels(CampaignBuilder.labels("gpu", "yes"))
                .release("channel=old")
                .build());
        scene.campaign(CampaignBuilder.named("up").select(selection).build());
        assertThat(scene.inFlight()).hasSize(machines);
    }

    @Test
    void keepsAMachineThatItHasBegunWithWhateverItsLabelsSayLater() {
        scene.cluster("a", 0, 1);
        scene.arrive(
                MachineBuilder.like(scene.row("a-w-0")).release("channel=old").build());
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of("channel=old"), List.of()))
                .build());
        scene.fail("a-w-0");
        scene.arrive(
                MachineBuilder.like(scene.row("a-w-0")).release("channel=new").build());
        scene.pass(Duration.ofMinutes(2));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void opensAWaveWhenEnoughOfTheOneBeforeHaveSucceeded() {
        threeWaves(50, false);
        assertThat(scene.inFlight()).containsExactly("canary-w-0", "canary-w-1");
        assertThat(scene.closed("east-w-0")).containsExactly(GateLabel.WAVE);
        scene.failForGood("canary-w-0");
        assertThat(scene.closed("east-w-0")).containsExactly(GateLabel.WAVE);
        scene.succeed("canary-w-1");
        assertThat(scene.inFlight()).containsExactly("east-w-0");
        assertThat(wave("canary").closedAt()).isEqualTo(scene.now);
    }

    @Test
    void keepsTheNextWaveClosedWhileTooFewHaveSucceeded() {
        threeWaves(100, false);
        scene.succeed("canary-w-0");
        scene.failForGood("canary-w-1");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("east-w-0").closed()).singleElement().satisfies(closed -> {
            assertThat(closed.have()).isEqualTo("1");
            assertThat(closed.need()).isEqualTo("2");
        });
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("canary-w-1")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void waitsForTheApprovalOfAWave() {
        threeWaves(100, true);
        scene.succeed("canary-w-0");
        scene.succeed("canary-w-1");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("east-w-0").next()).contains("up/approve/east");
        scene.order(new OperatorOrderKey.ApproveWave(UP, "east"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(scene.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void takesAnApprovalThatComesBeforeItsWave() {
        threeWaves(100, true);
        scene.order(new OperatorOrderKey.ApproveWave(UP, "east"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(scene.inFlight()).containsExactly("canary-w-0", "canary-w-1");
        scene.succeed("canary-w-0");
        scene.succeed("canary-w-1");
        assertThat(scene.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void passesOverAnEmptyWave() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave("nobody", CampaignBuilder.where("ring", "none"), false, 100)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void putsAClusterThatJoinsAClosedWaveIntoTheFirstThatIsNot() {
        threeWaves(100, false);
        scene.succeed("canary-w-0");
        scene.succeed("canary-w-1");
        scene.cluster(Scene.SITE, "late", 0, 1, CampaignBuilder.labels("ring", "canary"));
        assertThat(scene.entry("late-w-0").wave()).isEqualTo("east");
    }

    @Test
    void doesNotStartBeforeItsTime() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .startAt(scene.now.plus(Duration.ofHours(1)))
                .build());
        assertThat(scene.closed("a-w-0")).contains(GateLabel.CAMPAIGN);
        scene.pass(Duration.ofMinutes(59));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void opensItsFirstWaveWhenItsTimeComesThoughItWaitsForAnother() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("first").build());
        scene.campaign(CampaignBuilder.named("up")
                .startAt(scene.now.plus(Duration.ofHours(1)))
                .after("first", 100)
                .build());
        scene.decisions.clear();
        scene.pass(Duration.ofHours(1));
        assertThat(scene.events()).contains(Event.WAVE_OPENED);
    }

    @Test
    void startsNothingPastItsDeadline() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Duration.ofMinutes(5)))
                .build());
        scene.pass(Duration.ofMinutes(5));
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CAMPAIGN);
    }

    @Test
    void pausesAndGoesOn() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        scene.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.campaignStatus("up").pauseReason()).contains("ada");
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(scene.campaignStatus("up").pauseReason()).isNull();
    }

    @Test
    void abortsForGood() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        scene.succeed("a-w-0");
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(scene.inFlight()).isEmpty();
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
    }

    @Test
    void appliesAnOrderOnceByItsId() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        OperatorOrder pause = new OperatorOrder(new OperatorOrderKey.SetCampaignState(UP), "id-1", "ada", "why", scene.uid(UP), OperatorOrder.OrderVerb.PAUSE);
        scene.arrive(pause);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        int before = scene.decisions.size();
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        scene.arrive(pause);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        int after = scene.decisions.size();
        scene.arrive(pause);
        assertThat(scene.decisions).hasSize(after);
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void refusesAnOrderForAnotherCampaignOfTheSameName() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(new OperatorOrder(new OperatorOrderKey.SetCampaignState(UP), "id", "ada", "why", 999_999L, OperatorOrder.OrderVerb.ABORT));
        assertThat(rejections()).containsExactly(RejectionReason.WRONG_CAMPAIGN);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void refusesAnOrderForNoCampaign() {
        scene.arrive(new OperatorOrder(new OperatorOrderKey.SetCampaignState(UP), "id", "ada", "why", 1L, OperatorOrder.OrderVerb.ABORT));
        assertThat(rejections()).containsExactly(RejectionReason.WRONG_CAMPAIGN);
    }

    @Test
    void refusesAVerbThatDoesNotFitItsKey() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.FREEZE);
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
    }

    @Test
    void refusesTheApprovalOfAWaveThatIsNotThere() {
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.ApproveWave(UP, "nowhere"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(rejections()).containsExactly(RejectionReason.BAD_KEY);
    }

    @Test
    void refusesAnotherTargetAndGoesOnWithTheFirst() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.campaign(CampaignBuilder.named("up").target("revision=1").build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().target().text()).startsWith("channel=");
    }

    @Test
    void refusesALocalPath() {
        scene.cluster("a", 0, 1);
        scene.campaign(
                CampaignBuilder.named("up").target("localPath=/opt/k8s.snap").build());
        assertThat(rejections()).containsExactly(RejectionReason.NOT_SUPPORTED);
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void takesAnEditOfItsCaps() {
        scene.cluster("a", 0, 4);
        scene.campaign(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)).build());
        long uid = scene.uid(UP);
        scene.campaign(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(3)).build());
        assertThat(scene.inFlight()).hasSize(3);
        assertThat(scene.uid(UP)).isEqualTo(uid);
    }

    @Test
    void isForgottenWhenItsRowIsRemovedAndNothingIsInFlight() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
        scene.succeed("a-w-0");
        assertThat(scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, UP))).isInstanceOf(Tombstone.class);
        assertThat(scene.state.campaigns()).isEmpty();
    }

    @Test
    void isANewOneWhenItsNameComesBack() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        long first = scene.uid(UP);
        scene.succeed("a-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.uid(UP)).isGreaterThan(first);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void givesQuarantinedMachinesAnotherRoundOnOrder() {
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("a-w-0");
        scene.failForGood("a-w-1");
        scene.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        assertThat(scene.inFlight()).containsExactly("a-w-0", "a-w-1", "a-w-2");
        scene.failForGood("a-w-0");
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void skipsAMachineThatIsInFlightOnceThatEnds() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.state.inFlight()).isEqualTo(2);
        scene.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void yieldsMachinesToTheCampaignOfHigherPriority() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("low").build());
        scene.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        assertThat(driver("a-w-0")).isEqualTo("low");
        scene.succeed("a-w-0");
        assertThat(driver(scene.inFlight().get(0))).isEqualTo("high");
        CampaignRollout low = scene.state.rollout(new CampaignName("low"));
        assertThat(low).isNotNull();
        assertThat(GateCounts.of(scene.state, scene.gates, low, scene.now)).containsEntry(GateLabel.CLAIMED, 1);
    }

    @Test
    void keepsAControlPlaneItHasBegunFromOneOfHigherPriority() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("low").build());
        scene.succeed("a-cp-0");
        scene.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        scene.succeed("a-cp-1");
        assertThat(driver("a-cp-2")).isEqualTo("low");
        scene.succeed("a-cp-2");
        assertThat(driver("a-cp-0")).isEqualTo("high");
    }

    @Test
    void waitsForTheRetryEvenIfSomebodyLookedWithALaterClock() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.fail("a-w-0");
        scene.state.settle(scene.gates, scene.now.plus(Duration.ofHours(1)));
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void isTriedAgainThoughAnEarlierWaitOfAnotherCampaignEndsFirst() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("low").build());
        scene.fail("a-w-0");
        scene.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        scene.fail("a-w-0");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(2));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(driver("a-w-0")).isEqualTo("high");
    }

    @Test
    void leavesNoRowsOfWavesThatAnEditTookAway() {
        threeWaves(100, false);
        scene.campaign(CampaignBuilder.named("up")
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        scene.report("canary-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        scene.report("canary-w-1", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        for (String machine : scene.inFlight()) {
            scene.report(machine, new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        }
        assertThat(scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "canary"))))
                .isInstanceOf(Tombstone.class);
        assertThat(scene.state.waveRows(UP)).isEmpty();
    }

    @Test
    void selectsAMachineNoMoreThanOnce() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.inFlight()).doesNotContain("a-w-0");
    }

    @Test
    void countsMachinesPerGate() {
        scene.cap(1);
        scene.cluster("a", 0, 4);
        scene.campaign(CampaignBuilder.named("up").build());
        CampaignRollout up = scene.state.rollout(UP);
        assertThat(up).isNotNull();
        assertThat(GateCounts.of(scene.state, scene.gates, up, scene.now)).containsEntry(GateLabel.FLEET_CAP, 3);
    }

    /** The word about the call was lost: the next attempt finds the member at the target, and needs no call of its own. */
    @Test
    void aControlPlaneOfWhichALostAttemptHasUpgradedAMemberIsHalfDone() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("first")
                .priority(1)
                .target("channel=1.33-classic/stable")
                .build());
        String begun = scene.inFlight().get(0);
        scene.campaign(CampaignBuilder.named("high")
                .priority(90)
                .target("channel=1.32-classic/stable")
                .build());
        scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        scene.fail(begun);
        while (!scene.inFlight().contains(begun)) {
            scene.inFlight().forEach(other -> scene.report(other, new AttemptReport.Deferred(begun + " is not well")));
            scene.pass(Duration.ofMinutes(1));
        }
        scene.report(begun, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(scene.inFlight())
                .singleElement()
                .satisfies(next -> assertThat(scene.attempt(next).rolloutRef())
                        .isEqualTo(new RolloutRef.CampaignRef(
                                new CampaignName("first"),
                                scene.campaignStatus("first").uid())));
    }

    @Test
    void aHalfDoneControlPlaneStaysWithTheCampaignThatBeganIt() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("first")
                .priority(1)
                .target("channel=1.33-classic/stable")
                .build());
        String begun = scene.inFlight().get(0);
        scene.campaign(CampaignBuilder.named("high")
                .priority(90)
                .target("channel=1.32-classic/stable")
                .build());
        scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.PAUSE);
        scene.succeed(begun);
        assertThat(scene.inFlight()).isEmpty();
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.RUN);
        String next = scene.inFlight().get(0);
        assertThat(scene.attempt(next).rolloutRef())
                .isEqualTo(new RolloutRef.CampaignRef(
                        new CampaignName("first"), scene.campaignStatus("first").uid()));
    }

    @Test
    void onAMachineItsIntentGoesBeforeEveryCampaign() {
        scene.cap(1);
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").priority(100).build());
        scene.ask(Scene.machine("a-w-2"), "revision=9");
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        UpgradeAttempt attempt = scene.attempt("a-w-2");
        assertThat(attempt.rolloutRef()).isInstanceOf(RolloutRef.IntentRef.class);
        assertThat(attempt.target().text()).isEqualTo("revision=9");
    }

    @Test
    void aClustersIntentGoesThroughControlPlaneThenWorkersAndShowsItsProgress() {
        ClusterKey cluster = scene.cluster("a", 1, 1);
        scene.ask(cluster, "channel=1.33-classic/stable");
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
        assertThat(scene.shown(cluster).state()).isEqualTo(IntentStatus.IntentState.IN_PROGRESS);
        assertThat(scene.shown(cluster).currentMachine()).isEqualTo(Scene.machine("a-cp-0"));
        scene.succeed("a-cp-0");
        scene.succeed("a-w-0");
        assertThat(scene.shown(cluster).state()).isEqualTo(IntentStatus.IntentState.DONE);
        assertThat(scene.shown(cluster).succeeded()).isEqualTo(2);
    }

    @Test
    void aRemovedIntentTakesItsCommandBack() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), "revision=9");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.takeBack(Scene.machine("a-w-0"));
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
    }

    private void threeWaves(int successPercent, boolean approval) {
        scene.cluster(Scene.SITE, "canary", 0, 2, CampaignBuilder.labels("ring", "canary"));
        scene.cluster(Scene.SITE, "east", 0, 1, CampaignBuilder.labels("ring", "east"));
        scene.cluster("rest", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave("canary", CampaignBuilder.where("ring", "canary"), false, successPercent)
                .wave("east", CampaignBuilder.where("ring", "east"), approval, 100)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
    }

    private WaveStatus wave(String name) {
        return (WaveStatus) scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, name)));
    }

    private String driver(String machine) {
        return ((RolloutRef.CampaignRef) scene.attempt(machine).rolloutRef()).name().name();
    }

    private List<RejectionReason> rejections() {
        return scene.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(row -> ((RejectedRecord) row).reason())
                .toList();
    }

    @Test
    void editsNothingThatIsNotThereAndNothingThatWasEditedSince() {
        scene.campaign(CampaignBuilder.named("up").basedOn("0123456789abcdef").build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(scene.state.rollout(UP)).isNull();
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(rejections()).isEmpty();
        String edition = dev.flotilla.schemas.edition.CampaignContentHash.compute(
                scene.campaignStatus("up").acceptedCampaign());
        scene.campaign(CampaignBuilder.named("up").priority(3).basedOn(edition).build());
        assertThat(rejections()).isEmpty();
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().priority()).isEqualTo(3);
        scene.campaign(CampaignBuilder.named("up").priority(5).basedOn(edition).build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(scene.campaignStatus("up").acceptedCampaign().spec().priority()).isEqualTo(3);
    }

    @Test
    void writtenAgainAfterARefusalIsTheRowThatCounts() {
        Campaign accepted = CampaignBuilder.named("up").build();
        scene.campaign(accepted);
        int before = scene.decisions.size();
        scene.campaign(accepted);
        assertThat(scene.decisions).hasSize(before);
        scene.campaign(CampaignBuilder.named("up").target("revision=9").build());
        assertThat(rejections()).hasSize(1);
        scene.campaign(accepted);
        assertThat(rejections()).isEmpty();
        assertThat(scene.state.campaign(UP)).isEqualTo(accepted);
    }

    @Test
    void thatHasNoMachinesHasNotSucceededForWhoeverDependsOnIt() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("first")
                .select(CampaignBuilder.only(dev.flotilla.schemas.row.MachineRole.CONTROL_PLANE))
                .build());
        scene.campaign(CampaignBuilder.named("up").after("first", 0).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CAMPAIGN);
    }

    /** It is tried again while somebody skips it: its failure counts until it is known how that ends. */
    @Test
    void aMachineThatIsSkippedWhileItIsTriedAgainHoldsWhatItsFailureTook() {
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        String first = scene.inFlight().get(0);
        scene.fail(first);
        scene.pass(java.time.Duration.ofMinutes(2));
        assertThat(scene.inFlight()).containsExactly(first);
        scene.step(first, AttemptStep.REFRESHING);
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine(first)), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).containsExactly(first);
        assertThat(java.util.Objects.requireNonNull(scene.state.rollout(UP)).failed())
                .isOne();
        scene.succeed(first);
        assertThat(java.util.Objects.requireNonNull(scene.state.rollout(UP)).failed())
                .isZero();
        assertThat(scene.inFlight()).hasSize(1).doesNotContain(first);
    }
}
