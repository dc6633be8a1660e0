package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A leader that took over while a site's topics were unreadable knows only the site's head row. */
class UnrestoredSiteTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId SICK = new SiteId("sick");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void itsMachinesInFlightCountAgainstTheFleetsCap() {
        fleetScenario.cap(3);
        unread(2);
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.closed("c-w-8")).contains(GateLabel.FLEET_CAP);
    }

    /** The label values of these machines are unknown: they may be any. */
    @Test
    void itsMachinesInFlightCountAgainstEachDomainsCap() {
        unread(2);
        for (int i = 0; i < 8; i++) {
            fleetScenario.cluster("m" + i, 0, 0);
            fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "m" + i, "m" + i)
                    .labels(CampaignBuilder.labels("zone", i % 2 == 0 ? "a" : "b"))
                    .build());
        }
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(9)
                .domain("zone", new CountOrPercent.Count(3))
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        String waiting = fleetScenario.inFlight().contains("m6") ? "m4" : "m6";
        assertThat(fleetScenario.explain(waiting).closedGates())
                .filteredOn(closedGate -> closedGate.gate() == GateLabel.DOMAIN_CAP)
                .singleElement()
                .isEqualTo(new dev.flotilla.core.gate.ClosedGate(
                        GateLabel.DOMAIN_CAP,
                        "3",
                        "3",
                        "The campaign has 3 machines with zone a in flight, 2 of them with unknown labels; the cap is"
                                + " 3."));
        fleetScenario.state.markRestored(SICK);
        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        assertThat(fleetScenario.inFlight()).hasSize(6);
    }

    @Test
    void itsUseOfABudgetCounts() {
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(
                CampaignBuilder.named("up").budget(3).maxUnavailable(9).build());
        assertThat(fleetScenario.inFlight()).hasSize(3);
        assertThat(budgets(FleetScenario.SITE)).containsExactly(new FailureBudgetUse(UP, fleetScenario.uid(UP), 3));
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).hasSize(3);

        unread(2, List.of(new FailureBudgetUse(UP, fleetScenario.uid(UP), 2)));
        fleetScenario.succeed("c-w-1");
        fleetScenario.succeed("c-w-2");
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.explain("c-w-8").closedGates())
                .filteredOn(closedGate -> closedGate.gate() == GateLabel.FAILURE_BUDGET)
                .singleElement()
                .satisfies(closedGate -> {
                    assertThat(closedGate.actual()).isEqualTo("4");
                    assertThat(closedGate.message()).contains("2 in sites that cannot be read");
                });
    }

    @Test
    void itsUseOfAnotherCampaignsBudgetDoesNotCount() {
        fleetScenario.cluster("c", 0, 1);
        unread(2, List.of(new FailureBudgetUse(UP, 1_000, 2)));
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aCampaignStartsNothingWhileItsBudgetUseIsUnknown() {
        unread(0, null);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.FAILURE_BUDGET);
    }

    @Test
    void aBudgetWithConfidenceStartsNothingWhileItsUseIsUnknown() {
        fleetScenario.cluster("c", 0, 60);
        fleetScenario.campaign(confident(new CountOrPercent.Count(5)));
        for (int i = 0; i < 10; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        unread(0, null);
        int inFlight = fleetScenario.inFlight().size();
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).hasSize(inFlight - 1);
        assertThat(fleetScenario.closed("c-w-59")).containsExactly(GateLabel.FAILURE_BUDGET);
    }

    @Test
    void aPercentageOfUnreadableMachinesPausesNothing() {
        unread(0);
        fleetScenario.cluster("c", 0, 10);
        fleetScenario.campaign(confident(new CountOrPercent.Count(3)));
        for (int i = 0; i < 3; i++) {
            fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        }
        fleetScenario.campaign(confident(new CountOrPercent.Percent(20)));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.state.markRestored(SICK);
        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    private static Campaign confident(CountOrPercent most) {
        return CampaignBuilder.named("up")
                .budget(new FailureBudget(most, 95, 10))
                .maxUnavailable(60)
                .build();
    }

    @Test
    void theUseInAnUnselectedSiteDoesNotCount() {
        unread(2, null);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(FleetScenario.SITE),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of()))
                .budget(1)
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void theKnownUseInAWrittenOffSiteCountsAsFailed() {
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(9).build());
        fleetScenario.state.put(new SiteHead(
                        SICK,
                        null,
                        Instant.EPOCH,
                        2,
                        List.of(new FailureBudgetUse(UP, fleetScenario.uid(UP), 2)),
                        List.of())
                .withWriteOff(1, "order", fleetScenario.now));
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(fleetScenario.state.failed(fleetScenario.state.rollout(UP))).isEqualTo(2);
        unread(2, List.of(new FailureBudgetUse(UP, fleetScenario.uid(UP), 2)));
        assertThat(fleetScenario.state.failed(fleetScenario.state.rollout(UP)))
                .as("the site is not written off")
                .isZero();
        fleetScenario.state.put(new SiteHead(SICK, null, Instant.EPOCH, 2, null, List.of())
                .withWriteOff(1, "order", fleetScenario.now));
        assertThat(fleetScenario.state.failed(fleetScenario.state.rollout(UP)))
                .as("the use is unknown")
                .isZero();
    }

    /** A site that stays unreachable keeps its head row over any number of leaders. */
    @Test
    void theUseIsPassedOnByALeaderThatCannotReadTheSite() {
        List<FailureBudgetUse> used = List.of(new FailureBudgetUse(UP, 41, 2));
        unread(2, used);
        assertThat(budgets(SICK)).isEqualTo(used);
    }

    @Test
    void failuresAndReservationsCountAsUse() {
        fleetScenario.cluster("c", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(FleetScenario.SITE)).containsExactly(new FailureBudgetUse(UP, fleetScenario.uid(UP), 3));
    }

    @Test
    void aRemovedBudgetIsNotRecorded() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(FleetScenario.SITE)).hasSize(1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(budgets(FleetScenario.SITE)).isEmpty();
    }

    @Test
    void aCampaignThatSelectsItDoesNotComplete() {
        unread(0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        fleetScenario.state.markRestored(SICK);
        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aCampaignOfOtherSitesCompletes() {
        unread(0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(
                        List.of(FleetScenario.SITE),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of()))
                .budget(1)
                .build());
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    /** A topic may be missing or hidden, and the leader that wrote the head row did not know yet. */
    @Test
    void itCountsWhateverItsHeadRowSaysAboutItsTopics() {
        fleetScenario.cap(2);
        fleetScenario.state.put(new SiteHead(SICK, null, null, 2, List.of(), List.of()));
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.FLEET_CAP);
        assertThat(fleetScenario.state.site(SICK).isUnrestored()).isTrue();
    }

    @Test
    void itsMachinesInFlightCountAgainstTheCampaignsCap() {
        unread(2);
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(3))
                .maxUnavailable(9)
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.closed("c-w-8")).contains(GateLabel.CAMPAIGN_CAP);
    }

    @Test
    void itsRowsCountOnceTheyAreRead() {
        fleetScenario.cap(2);
        unread(2);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.state.markRestored(SICK);
        fleetScenario.advance(Duration.ZERO);
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @Test
    void itIsForgottenWithItsHeadRow() {
        fleetScenario.cap(2);
        unread(2);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        fleetScenario.state.put(new Tombstone(new RowKey(Table.HEAD, SICK)));
        fleetScenario.advance(Duration.ZERO);
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.succeed("c-w-0");
        fleetScenario.succeed("c-w-1");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aWaveOfOtherSitesClosesAndTheCampaignWaits() {
        unread(0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(new Wave("north", List.of(FleetScenario.SITE), LabelSelector.ALL, false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        fleetScenario.succeed("c-w-0");
        assertThat(wave("north").closedAt()).isNotNull();
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aWaveThatMayHaveMachinesThereWaitsWithAnExplanation() {
        unread(0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.cluster(FleetScenario.SITE, "d", 0, 1, CampaignBuilder.labels("ring", "late"));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(new Wave("late", List.of(), CampaignBuilder.where("ring", "late"), false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        fleetScenario.succeed("d-w-0");
        assertThat(wave("late").closedAt()).isNull();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("or is written off");
    }

    /** A wave whose size is not fixed yet does not block earlier waves. */
    @Test
    void aWaveBeforeOneOfUnknownSizeContinues() {
        unread(0);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.cluster(FleetScenario.SITE, "d", 0, 1, CampaignBuilder.labels("ring", "late"));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(new Wave("north", List.of(FleetScenario.SITE), CampaignBuilder.where("ring", "late"), false, 100))
                .share("share", new CountOrPercent.Percent(10))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        fleetScenario.succeed("d-w-0");
        assertThat(wave("north").closedAt()).isNotNull();
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("size of wave share is fixed when");
    }

    /** The site burnt down, and another leader has taken over since. */
    @Test
    void aWrittenOffSiteHasNothingInFlightAndCampaignsComplete() {
        fleetScenario.cap(2);
        unread(2);
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.FLEET_CAP);
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aWrittenOffSiteStaysWrittenOffForEachLeader() {
        fleetScenario.cap(2);
        unread(2);
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        SiteHead said = (SiteHead) fleetScenario.rows.get(new RowKey(Table.HEAD, SICK));
        FleetScenario next = FleetScenario.open();
        next.cap(2);
        next.state.put(said);
        next.cluster("c", 0, 2);
        next.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(next.inFlight()).hasSize(2);
        assertThat(said.writeOff().since()).isEqualTo(fleetScenario.now);
    }

    @Test
    void machinesInFlightOfAWrittenOffSiteCountAsFailed() {
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(3).build());
        unread(2, List.of(new FailureBudgetUse(UP, fleetScenario.uid(UP), 2)));
        fleetScenario.succeed("c-w-0");
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.closed("c-w-8")).contains(GateLabel.FAILURE_BUDGET);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.campaignStatus("up").pauseReason()).contains("3 machines have failed");
    }

    /** The site is readable again: campaigns wait for its machines again, and lower attempt ids stay written off. */
    @Test
    void aSiteThatWasRestoredIsWrittenOffInTheSameWay() {
        fleetScenario.site(SICK);
        fleetScenario.cluster(SICK, "s", 0, 2, Labels.NONE);
        fleetScenario.cap(3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(3).build());
        fleetScenario.cluster("c", 0, 2);
        assertThat(fleetScenario.inFlight()).hasSize(3);
        stamp(SICK);
        fleetScenario.decide(new DecisionInput.SiteUnreachable(SICK, fleetScenario.now));
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        assertThat(fleetScenario.closed("c-w-1")).containsExactly(GateLabel.FAILURE_BUDGET);
        fleetScenario.succeed("c-w-0");
        fleetScenario.succeed("c-w-1");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aSiteThatIsReachableAgainCounts() {
        unread(2);
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        fleetScenario.state.markRestored(SICK);
        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        SiteHead back = (SiteHead) fleetScenario.rows.get(new RowKey(Table.HEAD, SICK));
        assertThat(back.isWrittenOff()).isFalse();
        assertThat(back.writeOff().beforeAttempt()).isPositive();
    }

    @Test
    void aWriteOffIsAppliedOnce() {
        unread(2);
        OperatorOrder order = new OperatorOrder(
                new OperatorOrderKey.WriteOffSite(SICK),
                "id",
                "ada",
                "burnt down",
                null,
                OperatorOrder.OrderVerb.WRITE_OFF);
        fleetScenario.receive(order);
        Object first = fleetScenario.rows.get(new RowKey(Table.HEAD, SICK));
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.receive(order);
        assertThat(fleetScenario.rows.get(new RowKey(Table.HEAD, SICK))).isEqualTo(first);
    }

    @Test
    void rejectsAWriteOffOfAMissingSite() {
        fleetScenario.order(new OperatorOrderKey.WriteOffSite(new SiteId("nort")), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        assertThat(fleetScenario.rows).doesNotContainKey(new RowKey(Table.HEAD, new SiteId("nort")));
    }

    /** What its status row says is unknown, and a new row would replace it. */
    @Test
    void acceptsARemovalOnlyOnceItsStatusIsKnown() {
        SiteStatus earlier = new SiteStatus(
                SICK,
                "earlier",
                7,
                "write-off",
                new SiteAnnotationRules(List.of("/opt/snaps"), List.of(), List.of()),
                null);
        unread(0);
        acceptRemoval("order-1");
        assertThat(fleetScenario.onlyRejection().problem()).contains("site sick cannot be used now");
        assertThat(fleetScenario.rows).doesNotContainKey(earlier.rowKey());

        fleetScenario.state.put(earlier);
        fleetScenario.state.markRestored(SICK);
        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        acceptRemoval("order-2");
        SiteStatus now = fleetScenario.state.site(SICK).status();
        assertThat(now.acceptedRemoval()).isEqualTo("order-2");
        assertThat(now.writtenOffBeforeAttempt()).isEqualTo(7);
        assertThat(now.writeOffOrder()).isEqualTo("write-off");
    }

    /** The machine may exist: a leader that has not read the site knows none of its machines. */
    @Test
    void skipsNoMachineOfASuspendedSite() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.site(SICK);
        MachineRow machine = MachineRowBuilder.of(SICK, "k", "k-w-1").build();
        fleetScenario.receive(machine);
        fleetScenario.decide(new DecisionInput.SiteUnreachable(SICK, fleetScenario.now));
        fleetScenario.order(new OperatorOrderKey.SkipMachine(UP, machine.key()), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.onlyRejection().problem())
                .isEqualTo("the topics of site sick cannot be used now: skip the machine with a new id once they can");

        fleetScenario.decide(new DecisionInput.SiteReachable(SICK, fleetScenario.now));
        fleetScenario.order(new OperatorOrderKey.SkipMachine(UP, machine.key()), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.events()).contains(DecisionEvent.MACHINE_SKIPPED);
    }

    /** A journal does not show whether a suspended site was read, and must be replayed with the same decisions. */
    @Test
    void acceptsNoRemovalInASuspendedSiteThatWasRead() {
        fleetScenario.site(SICK);
        fleetScenario.decide(new DecisionInput.SiteUnreachable(SICK, fleetScenario.now));
        acceptRemoval("order-1");
        assertThat(fleetScenario.onlyRejection().problem()).contains("with a new id");
    }

    private void acceptRemoval(String id) {
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.AcceptMassRemoval(SICK),
                id,
                "ada",
                "deleted",
                null,
                OperatorOrder.OrderVerb.ACCEPT_REMOVAL));
    }

    private void stamp(SiteId site) {
        SiteHead head = fleetScenario.state.site(site).head();
        fleetScenario.state.put(head.withReadPosition(
                fleetScenario.state.site(site).inFlight(),
                fleetScenario.state.budgetsUsed(site),
                head.offsets(),
                head.topicIds()));
    }

    private WaveStatus wave(String name) {
        return (WaveStatus) fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, name)));
    }

    private void unread(int inFlight) {
        unread(inFlight, List.of());
    }

    /** A rejected record is in a topic of the fleet and keeps the last accepted row of the site. */
    @Test
    void aRejectedRowDoesNotMakeItRestored() {
        fleetScenario.cap(3);
        MachineRow old = MachineRowBuilder.of(SICK, "k", "k-w-1").build();
        fleetScenario.state.put(rejected(old));
        unread(2);
        fleetScenario.cluster("c", 0, 9);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.state.site(SICK))
                .satisfies(site -> assertThat(site.machines()).isZero());

        fleetScenario.state.markRestored(SICK);
        assertThat(fleetScenario.state.site(SICK))
                .satisfies(site -> assertThat(site.machines()).isOne());
    }

    @Test
    void aResolvedRejectionLeavesNothing() {
        MachineRow old = MachineRowBuilder.of(SICK, "k", "k-w-1").build();
        unread(0);
        fleetScenario.state.put(rejected(old));
        fleetScenario.state.put(new Tombstone(rejected(old).rowKey()));
        fleetScenario.state.markRestored(SICK);
        assertThat(fleetScenario.state.machine(old.key())).isNull();
    }

    private RejectedRecord rejected(MachineRow accepted) {
        return new RejectedRecord(
                        new RejectedRecordKey("flotilla.inventory.sick", 0, "machine/default/k-w-1"),
                        7,
                        RejectionReason.NOT_JSON,
                        "",
                        "?",
                        "not JSON",
                        fleetScenario.now)
                .withLastAccepted(accepted);
    }

    private void unread(int inFlight, @Nullable List<FailureBudgetUse> budgets) {
        fleetScenario.state.put(new SiteHead(SICK, null, Instant.EPOCH, inFlight, budgets, List.of()));
    }

    /** The budget use that a leader would write into the site's head row. */
    private @Nullable List<FailureBudgetUse> budgets(SiteId site) {
        return fleetScenario.state.budgetsUsed(site);
    }
}
