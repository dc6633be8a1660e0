package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.LabelSelector.LabelOperator;
import dev.flotilla.schemas.row.LabelSelector.LabelRequirement;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CampaignLifecycleTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void usesTheNumberOfItsAcceptanceAsUid() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        Decision accepted = fleetScenario.decisions.stream()
                .filter(decision -> decision.event() == DecisionEvent.CAMPAIGN_ACCEPTED)
                .findFirst()
                .orElseThrow();
        assertThat(fleetScenario.uid(UP)).isEqualTo(accepted.seq());
    }

    @Test
    void isCompletedWhenAllItsMachinesHaveEnded() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        fleetScenario.quarantine("a-w-1");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void isNotCompletedWithoutMachines() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        fleetScenario.cluster("a", 0, 1);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    static Stream<Arguments> selections() {
        SiteId north = FleetScenario.SITE;
        LabelSelector gold = CampaignBuilder.where("tier", "gold");
        LabelSelector notGold =
                new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.NOT_IN, List.of("gold"))));
        LabelSelector hasTier =
                new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.EXISTS, List.of())));
        LabelSelector noTier =
                new LabelSelector(List.of(new LabelRequirement("tier", LabelOperator.DOES_NOT_EXIST, List.of())));
        return Stream.of(
                select(
                        "a site",
                        new MachineSelection(
                                List.of(north), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()),
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
                                List.of(),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(MachineRole.WORKER),
                                List.of(),
                                List.of()),
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
                                List.of(),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(),
                                List.of("channel=old"),
                                List.of()),
                        1),
                select(
                        "all but one",
                        new MachineSelection(
                                List.of(),
                                LabelSelector.ALL,
                                LabelSelector.ALL,
                                List.of(),
                                List.of(),
                                List.of(FleetScenario.machine("plain-w-1"))),
                        3));
    }

    private static Arguments select(String what, MachineSelection selection, int machines) {
        return Arguments.of(what, selection, machines);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("selections")
    void selects(String what, MachineSelection selection, int machines) {
        fleetScenario.cluster(FleetScenario.SITE, "gilded", 0, 2, CampaignBuilder.labels("tier", "gold"));
        fleetScenario.cluster("plain", 0, 2);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("plain-w-0"))
                .labels(CampaignBuilder.labels("gpu", "yes"))
                .release("channel=old")
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").select(selection).build());
        assertThat(fleetScenario.inFlight()).hasSize(machines);
    }

    @Test
    void keepsAStartedMachineWhoseLabelsChange() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0"))
                .release("channel=old")
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of("channel=old"), List.of()))
                .build());
        fleetScenario.fail("a-w-0");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0"))
                .release("channel=new")
                .build());
        fleetScenario.advance(Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void opensAWaveWhenEnoughOfThePreviousWaveSucceeded() {
        threeWaves(50, false);
        assertThat(fleetScenario.inFlight()).containsExactly("canary-w-0", "canary-w-1");
        assertThat(fleetScenario.closed("east-w-0")).containsExactly(GateLabel.WAVE);
        fleetScenario.quarantine("canary-w-0");
        assertThat(fleetScenario.closed("east-w-0")).containsExactly(GateLabel.WAVE);
        fleetScenario.succeed("canary-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("east-w-0");
        assertThat(wave("canary").closedAt()).isEqualTo(fleetScenario.now);
    }

    @Test
    void keepsAWaveClosedWhileTooFewOfThePreviousWaveSucceeded() {
        threeWaves(100, false);
        fleetScenario.succeed("canary-w-0");
        fleetScenario.quarantine("canary-w-1");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("east-w-0").closedGates())
                .singleElement()
                .satisfies(closedGate -> {
                    assertThat(closedGate.actual()).isEqualTo("1");
                    assertThat(closedGate.required()).isEqualTo("2");
                });
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("canary-w-1")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void waitsForTheApprovalOfAWave() {
        threeWaves(100, true);
        fleetScenario.succeed("canary-w-0");
        fleetScenario.succeed("canary-w-1");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("east-w-0").nextStep()).contains("flotilla campaign approve up east");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "east"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void acceptsAnApprovalBeforeItsWaveStarts() {
        threeWaves(100, true);
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "east"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).containsExactly("canary-w-0", "canary-w-1");
        fleetScenario.succeed("canary-w-0");
        fleetScenario.succeed("canary-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("east-w-0");
    }

    @Test
    void skipsAnEmptyWave() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("empty", CampaignBuilder.where("ring", "none"), false, 100)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void assignsAClusterOfAClosedWaveToTheFirstOpenWave() {
        threeWaves(100, false);
        fleetScenario.succeed("canary-w-0");
        fleetScenario.succeed("canary-w-1");
        fleetScenario.cluster(FleetScenario.SITE, "late", 0, 1, CampaignBuilder.labels("ring", "canary"));
        assertThat(fleetScenario.entry("late-w-0").wave()).isEqualTo("east");
    }

    @Test
    void doesNotStartBeforeItsStartTime() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .startAt(fleetScenario.now.plus(Duration.ofHours(1)))
                .build());
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.CAMPAIGN_NOT_RUNNING);
        fleetScenario.advance(Duration.ofMinutes(59));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void opensItsFirstWaveAtItsStartTimeWhileItWaitsForADependency() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("first").build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .startAt(fleetScenario.now.plus(Duration.ofHours(1)))
                .after("first", 100)
                .build());
        fleetScenario.decisions.clear();
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.events()).contains(DecisionEvent.WAVE_OPENED);
    }

    @Test
    void startsNothingPastItsDeadline() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.plus(Duration.ofMinutes(5)))
                .build());
        fleetScenario.advance(Duration.ofMinutes(5));
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING);
    }

    @Test
    void pausesAndResumes() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        fleetScenario.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.campaignStatus("up").pauseReason()).contains("ada");
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.campaignStatus("up").pauseReason()).isNull();
    }

    @Test
    void doesNotResumeAfterAnAbort() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
    }

    @Test
    void appliesAnOrderOnceByItsId() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        OperatorOrder pause = new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(UP),
                "id-1",
                "ada",
                "why",
                fleetScenario.uid(UP),
                OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.receive(pause);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        int before = fleetScenario.decisions.size();
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        fleetScenario.receive(pause);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        int after = fleetScenario.decisions.size();
        fleetScenario.receive(pause);
        assertThat(fleetScenario.decisions).hasSize(after);
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void rejectsAnOrderForAnotherCampaignOfTheSameName() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(UP),
                "id",
                "ada",
                "why",
                999_999L,
                OperatorOrder.OrderVerb.ABORT));
        assertThat(rejections()).containsExactly(RejectionReason.WRONG_CAMPAIGN);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void rejectsAnOrderForAMissingCampaign() {
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(UP), "id", "ada", "why", 1L, OperatorOrder.OrderVerb.ABORT));
        assertThat(rejections()).containsExactly(RejectionReason.WRONG_CAMPAIGN);
    }

    @Test
    void rejectsAVerbThatDoesNotMatchItsKey() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.FREEZE);
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
    }

    @Test
    void rejectsAnApprovalOfAMissingWave() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "nowhere"), OperatorOrder.OrderVerb.APPROVE);
        assertThat(rejections()).containsExactly(RejectionReason.BAD_KEY);
    }

    @Test
    void rejectsAnotherTargetAndContinuesWithTheFirst() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.campaign(CampaignBuilder.named("up").target("revision=1").build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(fleetScenario
                        .campaignStatus("up")
                        .acceptedCampaign()
                        .spec()
                        .target()
                        .option()
                        .text())
                .startsWith("channel=");
    }

    @Test
    void acceptsAnEditOfItsCaps() {
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(1))
                .build());
        long uid = fleetScenario.uid(UP);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(3))
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(3);
        assertThat(fleetScenario.uid(UP)).isEqualTo(uid);
    }

    @Test
    void removesItsRowsAfterItsDeletionWhenNothingIsInFlight() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, UP)))
                .isInstanceOf(Tombstone.class);
        assertThat(fleetScenario.state.campaigns()).isEmpty();
    }

    @Test
    void isNewWhenItsNameIsUsedAgain() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        long first = fleetScenario.uid(UP);
        fleetScenario.succeed("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.uid(UP)).isGreaterThan(first);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void retriesQuarantinedMachinesOnOrder() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("a-w-0");
        fleetScenario.quarantine("a-w-1");
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0", "a-w-1", "a-w-2");
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void skipsAMachineInFlightWhenItsAttemptEnds() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.state.inFlight()).isEqualTo(2);
        fleetScenario.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void yieldsMachinesToTheCampaignOfHigherPriority() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("low").build());
        fleetScenario.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        assertThat(campaignOf("a-w-0")).isEqualTo("low");
        fleetScenario.succeed("a-w-0");
        assertThat(campaignOf(fleetScenario.inFlight().get(0))).isEqualTo("high");
        CampaignRollout low = fleetScenario.state.rollout(new CampaignName("low"));
        assertThat(low).isNotNull();
        assertThat(BlockedMachineCounter.countByGate(fleetScenario.state, fleetScenario.gates, low, fleetScenario.now))
                .containsEntry(GateLabel.CLAIMED_BY_OTHER, 1);
    }

    @Test
    void keepsAStartedControlPlaneFromACampaignOfHigherPriority() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("low").build());
        fleetScenario.succeed("a-cp-0");
        fleetScenario.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        fleetScenario.succeed("a-cp-1");
        assertThat(campaignOf("a-cp-2")).isEqualTo("low");
        fleetScenario.succeed("a-cp-2");
        assertThat(campaignOf("a-cp-0")).isEqualTo("high");
    }

    @Test
    void waitsForTheRetryAfterAQueryWithALaterClock() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.fail("a-w-0");
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now.plus(Duration.ofHours(1)));
        fleetScenario.advance(Duration.ofSeconds(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void retriesAMachineWhenAnotherCampaignsBackoffEndsEarlier() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("low").build());
        fleetScenario.fail("a-w-0");
        fleetScenario.campaign(
                CampaignBuilder.named("high").priority(5).target("revision=7").build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        fleetScenario.fail("a-w-0");
        fleetScenario.advance(Duration.ofSeconds(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(campaignOf("a-w-0")).isEqualTo("high");
    }

    @Test
    void removesTheRowsOfRemovedWaves() {
        threeWaves(100, false);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        fleetScenario.report("canary-w-0", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        fleetScenario.report("canary-w-1", new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        for (String machine : fleetScenario.inFlight()) {
            fleetScenario.report(machine, new dev.flotilla.schemas.row.AttemptReport.Cancelled());
        }
        assertThat(fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "canary"))))
                .isInstanceOf(Tombstone.class);
        assertThat(fleetScenario.state.waveRows(UP)).isEmpty();
    }

    @Test
    void selectsAMachineOnlyOnce() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.inFlight()).doesNotContain("a-w-0");
    }

    @Test
    void countsBlockedMachinesByGate() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        CampaignRollout up = fleetScenario.state.rollout(UP);
        assertThat(up).isNotNull();
        assertThat(BlockedMachineCounter.countByGate(fleetScenario.state, fleetScenario.gates, up, fleetScenario.now))
                .containsEntry(GateLabel.FLEET_CAP, 3);
    }

    /** The report of the call was lost: the next attempt finds the member at its target and needs no call. */
    @Test
    void aControlPlaneWithAMemberUpgradedByALostAttemptIsHalfUpgraded() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .priority(1)
                .target("channel=1.33-classic/stable")
                .build());
        String begun = fleetScenario.inFlight().get(0);
        fleetScenario.campaign(CampaignBuilder.named("high")
                .priority(90)
                .target("channel=1.32-classic/stable")
                .build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        fleetScenario.fail(begun);
        while (!fleetScenario.inFlight().contains(begun)) {
            fleetScenario
                    .inFlight()
                    .forEach(other -> fleetScenario.report(other, new AttemptReport.Deferred(begun + " is not well")));
            fleetScenario.advance(Duration.ofMinutes(1));
        }
        fleetScenario.report(
                begun, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(fleetScenario.inFlight())
                .singleElement()
                .satisfies(next -> assertThat(fleetScenario.attempt(next).rolloutRef())
                        .isEqualTo(new RolloutRef.CampaignRef(
                                new CampaignName("first"),
                                fleetScenario.campaignStatus("first").uid())));
    }

    @Test
    void aHalfUpgradedControlPlaneStaysWithItsCampaign() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .priority(1)
                .target("channel=1.33-classic/stable")
                .build());
        String begun = fleetScenario.inFlight().get(0);
        fleetScenario.campaign(CampaignBuilder.named("high")
                .priority(90)
                .target("channel=1.32-classic/stable")
                .build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("high")), OperatorOrder.OrderVerb.APPROVE);
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.succeed(begun);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.RUN);
        String next = fleetScenario.inFlight().get(0);
        assertThat(fleetScenario.attempt(next).rolloutRef())
                .isEqualTo(new RolloutRef.CampaignRef(
                        new CampaignName("first"),
                        fleetScenario.campaignStatus("first").uid()));
    }

    @Test
    void aMachinesIntentGoesBeforeEveryCampaign() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").priority(100).build());
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-2"), "revision=9");
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        UpgradeAttempt attempt = fleetScenario.attempt("a-w-2");
        assertThat(attempt.rolloutRef()).isInstanceOf(RolloutRef.IntentRef.class);
        assertThat(attempt.target().text()).isEqualTo("revision=9");
    }

    @Test
    void aClustersIntentUpgradesTheControlPlaneThenWorkersAndShowsItsProgress() {
        ClusterKey cluster = fleetScenario.cluster("a", 1, 1);
        fleetScenario.requestUpgrade(cluster, "channel=1.33-classic/stable");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.intentStatus(cluster).state()).isEqualTo(IntentStatus.IntentState.IN_PROGRESS);
        assertThat(fleetScenario.intentStatus(cluster).currentMachine()).isEqualTo(FleetScenario.machine("a-cp-0"));
        fleetScenario.succeed("a-cp-0");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.intentStatus(cluster).state()).isEqualTo(IntentStatus.IntentState.DONE);
        assertThat(fleetScenario.intentStatus(cluster).succeeded()).isEqualTo(2);
    }

    @Test
    void aRemovedIntentCancelsItsCommand() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=9");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.removeIntent(FleetScenario.machine("a-w-0"));
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
    }

    private void threeWaves(int successPercent, boolean approval) {
        fleetScenario.cluster(FleetScenario.SITE, "canary", 0, 2, CampaignBuilder.labels("ring", "canary"));
        fleetScenario.cluster(FleetScenario.SITE, "east", 0, 1, CampaignBuilder.labels("ring", "east"));
        fleetScenario.cluster("rest", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("canary", CampaignBuilder.where("ring", "canary"), false, successPercent)
                .wave("east", CampaignBuilder.where("ring", "east"), approval, 100)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
    }

    private WaveStatus wave(String name) {
        return (WaveStatus) fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, name)));
    }

    private String campaignOf(String machine) {
        return ((RolloutRef.CampaignRef) fleetScenario.attempt(machine).rolloutRef())
                .name()
                .name();
    }

    private List<RejectionReason> rejections() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(row -> ((RejectedRecord) row).reason())
                .toList();
    }

    @Test
    void rejectsEditsOfMissingOrChangedCampaigns() {
        fleetScenario.campaign(
                CampaignBuilder.named("up").basedOn("0123456789abcdef").build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(fleetScenario.state.rollout(UP)).isNull();
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(rejections()).isEmpty();
        String edition = dev.flotilla.schemas.contenthash.CampaignContentHash.compute(
                fleetScenario.campaignStatus("up").acceptedCampaign());
        fleetScenario.campaign(
                CampaignBuilder.named("up").priority(3).basedOn(edition).build());
        assertThat(rejections()).isEmpty();
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().priority())
                .isEqualTo(3);
        fleetScenario.campaign(
                CampaignBuilder.named("up").priority(5).basedOn(edition).build());
        assertThat(rejections()).containsExactly(RejectionReason.CONTRADICTION);
        assertThat(fleetScenario.campaignStatus("up").acceptedCampaign().spec().priority())
                .isEqualTo(3);
    }

    @Test
    void theAcceptedRowCountsWhenItIsWrittenAgainAfterARejection() {
        Campaign accepted = CampaignBuilder.named("up").build();
        fleetScenario.campaign(accepted);
        int before = fleetScenario.decisions.size();
        fleetScenario.campaign(accepted);
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.campaign(CampaignBuilder.named("up").target("revision=9").build());
        assertThat(rejections()).hasSize(1);
        fleetScenario.campaign(accepted);
        assertThat(rejections()).isEmpty();
        assertThat(fleetScenario.state.campaign(UP)).isEqualTo(accepted);
    }

    @Test
    void aDependencyWithoutMachinesHasNotSucceeded() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .select(CampaignBuilder.only(dev.flotilla.schemas.row.MachineRole.CONTROL_PLANE))
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").after("first", 0).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING);
    }

    /** It is skipped while it is retried: its failure counts until the outcome of the retry is known. */
    @Test
    void aMachineSkippedDuringItsRetryKeepsItsFailureInTheBudget() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        String first = fleetScenario.inFlight().get(0);
        fleetScenario.fail(first);
        fleetScenario.advance(java.time.Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).containsExactly(first);
        fleetScenario.step(first, AttemptStep.REFRESHING);
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine(first)), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly(first);
        assertThat(java.util.Objects.requireNonNull(fleetScenario.state.rollout(UP))
                        .failed())
                .isOne();
        fleetScenario.succeed(first);
        assertThat(java.util.Objects.requireNonNull(fleetScenario.state.rollout(UP))
                        .failed())
                .isZero();
        assertThat(fleetScenario.inFlight()).hasSize(1).doesNotContain(first);
    }
}
