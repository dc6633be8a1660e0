package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A leader that took over while a site's topics could not be read knows of it what the head row says. */
class UnreadSiteTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final SiteId SICK = new SiteId("sick");

    private final Scene scene = Scene.open();

    @Test
    void itsMachinesInFlightCountAgainstTheFleetsCap() {
        scene.cap(3);
        unread(2);
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("c-w-8")).contains(GateLabel.FLEET_CAP);
    }

    /** Nobody knows of which values they are: they may all be of each. */
    @Test
    void itsMachinesInFlightCountAgainstEachDomainsCap() {
        unread(2);
        for (int i = 0; i < 8; i++) {
            scene.cluster("m" + i, 0, 0);
            scene.arrive(MachineBuilder.of(Scene.SITE, "m" + i, "m" + i)
                    .labels(CampaignBuilder.labels("zone", i % 2 == 0 ? "a" : "b"))
                    .build());
        }
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(9)
                .domain("zone", new CountOrPercent.Count(3))
                .build());
        assertThat(scene.inFlight()).hasSize(2);
        String waiting = scene.inFlight().contains("m6") ? "m4" : "m6";
        assertThat(scene.explain(waiting).closed())
                .filteredOn(closed -> closed.gate() == GateLabel.DOMAIN_CAP)
                .singleElement()
                .isEqualTo(new dev.flotilla.core.gate.Closed(
                        GateLabel.DOMAIN_CAP,
                        "3",
                        "3",
                        "3 machines of the campaign with zone a are in flight, 2 of them perhaps: their labels are"
                                + " not known, and 3 may be."));
        scene.state.markRead(SICK);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.inFlight()).hasSize(6);
    }

    @Test
    void whatWasUsedThereOfABudgetIsUsed() {
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").budget(3).maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(3);
        assertThat(budgets(Scene.SITE)).containsExactly(new FailureBudgetUse(UP, scene.uid(UP), 3));
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).hasSize(3);

        unread(2, List.of(new FailureBudgetUse(UP, scene.uid(UP), 2)));
        scene.succeed("c-w-1");
        scene.succeed("c-w-2");
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.explain("c-w-8").closed())
                .filteredOn(closed -> closed.gate() == GateLabel.BUDGET)
                .singleElement()
                .satisfies(closed -> {
                    assertThat(closed.have()).isEqualTo("4");
                    assertThat(closed.says()).contains("2 of them in sites that cannot be read");
                });
    }

    @Test
    void anotherCampaignsUseOfItsBudgetIsNotThisOnes() {
        scene.cluster("c", 0, 1);
        unread(2, List.of(new FailureBudgetUse(UP, 1_000, 2)));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void aCampaignWithABudgetDoesNotSpendItBlindly() {
        unread(0, null);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void aBudgetAtAConfidenceIsNotSpentBlindlyEither() {
        scene.cluster("c", 0, 60);
        scene.campaign(confident(new CountOrPercent.Count(5)));
        for (int i = 0; i < 10; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        unread(0, null);
        int inFlight = scene.inFlight().size();
        scene.failForGood(scene.inFlight().get(0));
        assertThat(scene.inFlight()).hasSize(inFlight - 1);
        assertThat(scene.closed("c-w-59")).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void aShareOfMachinesThatCannotAllBeReadPausesNothing() {
        unread(0);
        scene.cluster("c", 0, 10);
        scene.campaign(confident(new CountOrPercent.Count(3)));
        for (int i = 0; i < 3; i++) {
            scene.failForGood(scene.inFlight().get(0));
        }
        scene.campaign(confident(new CountOrPercent.Percent(20)));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        assertThat(scene.inFlight()).isEmpty();
        scene.state.markRead(SICK);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    private static Campaign confident(CountOrPercent most) {
        return CampaignBuilder.named("up")
                .budget(new FailureBudget(most, 95, 10))
                .maxUnavailable(60)
                .build();
    }

    @Test
    void whatWasUsedInASiteThatTheCampaignDoesNotSelectIsNotUsed() {
        unread(2, null);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(List.of(Scene.SITE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .budget(1)
                .build());
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void whatWasUsedInASiteThatWasWrittenOffHasFailedAsFarAsAnybodyHasSaid() {
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").budget(9).build());
        scene.state.put(
                new SiteHead(SICK, null, Instant.EPOCH, 2, List.of(new FailureBudgetUse(UP, scene.uid(UP), 2)), List.of())
                        .withWriteOff(1, "order", scene.now));
        scene.state.settle(scene.gates, scene.now);
        assertThat(scene.state.failed(scene.state.rollout(UP))).isEqualTo(2);
        unread(2, List.of(new FailureBudgetUse(UP, scene.uid(UP), 2)));
        assertThat(scene.state.failed(scene.state.rollout(UP)))
                .as("nobody has given it up")
                .isZero();
        scene.state.put(new SiteHead(SICK, null, Instant.EPOCH, 2, null, List.of()).withWriteOff(1, "order", scene.now));
        assertThat(scene.state.failed(scene.state.rollout(UP)))
                .as("nobody has said")
                .isZero();
    }

    /** A site that stays away keeps what was said of it over any number of leaders. */
    @Test
    void whatWasUsedThereIsSaidOnByALeaderThatCannotReadItEither() {
        List<FailureBudgetUse> used = List.of(new FailureBudgetUse(UP, 41, 2));
        unread(2, used);
        assertThat(budgets(SICK)).isEqualTo(used);
    }

    @Test
    void whatFailedThereAndWhatAControlPlaneReservesAreUsed() {
        scene.cluster("c", 3, 0);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(Scene.SITE)).containsExactly(new FailureBudgetUse(UP, scene.uid(UP), 3));
    }

    @Test
    void aBudgetThatIsGivenUpIsNotSaidAnythingOf() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(budgets(Scene.SITE)).hasSize(1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(budgets(Scene.SITE)).isEmpty();
    }

    @Test
    void aCampaignThatSelectsItDoesNotEndWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        scene.state.markRead(SICK);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aCampaignOfOtherSitesEndsWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .select(new MachineSelection(List.of(Scene.SITE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of()))
                .budget(1)
                .build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    /** A topic of it may be missing or hidden, and whoever wrote its head row did not know yet. */
    @Test
    void itCountsWhateverItsHeadRowSaysOfItsTopics() {
        scene.cap(2);
        scene.state.put(new SiteHead(SICK, null, null, 2, List.of(), List.of()));
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.FLEET_CAP);
        assertThat(scene.state.site(SICK).isUnread()).isTrue();
    }

    @Test
    void itsMachinesInFlightCountAgainstTheCampaignsCap() {
        unread(2);
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(3))
                .maxUnavailable(9)
                .build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("c-w-8")).contains(GateLabel.CAMPAIGN_CAP);
    }

    @Test
    void whatIsReadOfItCountsByItsRowsAgain() {
        scene.cap(2);
        unread(2);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(scene.inFlight()).isEmpty();
        scene.state.markRead(SICK);
        scene.pass(Duration.ZERO);
        assertThat(scene.inFlight()).hasSize(2);
    }

    @Test
    void itIsForgottenWithItsHeadRow() {
        scene.cap(2);
        unread(2);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        scene.state.put(new Tombstone(new RowKey(Table.HEAD, SICK)));
        scene.pass(Duration.ZERO);
        assertThat(scene.inFlight()).hasSize(2);
        scene.succeed("c-w-0");
        scene.succeed("c-w-1");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aWaveOfOtherSitesClosesWithoutItAndTheCampaignWaits() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(new Wave("north", List.of(Scene.SITE), LabelSelector.ALL, false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        scene.succeed("c-w-0");
        assertThat(wave("north").closedAt()).isNotNull();
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aWaveThatMayHaveMachinesThereWaitsAndSaysSo() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.cluster(Scene.SITE, "d", 0, 1, CampaignBuilder.labels("ring", "late"));
        scene.campaign(CampaignBuilder.named("up")
                .wave(new Wave("late", List.of(), CampaignBuilder.where("ring", "late"), false, 100))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        scene.succeed("d-w-0");
        assertThat(wave("late").closedAt()).isNull();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(scene.explain("c-w-0").next()).contains("or an order writes the site off");
    }

    /** A wave whose share of the fleet is not settled yet holds up no wave before it. */
    @Test
    void aWaveBeforeOneThatCannotBeSettledGoesOn() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.cluster(Scene.SITE, "d", 0, 1, CampaignBuilder.labels("ring", "late"));
        scene.campaign(CampaignBuilder.named("up")
                .wave(new Wave("north", List.of(Scene.SITE), CampaignBuilder.where("ring", "late"), false, 100))
                .share("share", new CountOrPercent.Percent(10))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        scene.succeed("d-w-0");
        assertThat(wave("north").closedAt()).isNotNull();
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("c-w-0").next()).contains("wave share takes is settled when");
    }

    /** It burnt down, and another leader has taken over since. */
    @Test
    void nothingIsInFlightThereOnceItIsWrittenOffAndCampaignsEndWithoutIt() {
        scene.cap(2);
        unread(2);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.FLEET_CAP);
        scene.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aWrittenOffSiteStaysSoForEachLeaderThatCannotReadIt() {
        scene.cap(2);
        unread(2);
        scene.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        SiteHead said = (SiteHead) scene.rows.get(new RowKey(Table.HEAD, SICK));
        Scene next = Scene.open();
        next.cap(2);
        next.state.put(said);
        next.cluster("c", 0, 2);
        next.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(next.inFlight()).hasSize(2);
        assertThat(said.writeOff().since()).isEqualTo(scene.now);
    }

    @Test
    void whatWasInFlightThereHasFailedForTheBudget() {
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").budget(3).build());
        unread(2, List.of(new FailureBudgetUse(UP, scene.uid(UP), 2)));
        scene.succeed("c-w-0");
        scene.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.inFlight()).hasSize(2);
        scene.failForGood(scene.inFlight().get(0));
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("c-w-8")).contains(GateLabel.BUDGET);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        scene.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(scene.campaignStatus("up").pauseReason()).contains("3 machines have failed");
    }

    /** Its rows say how its machines stand: a campaign waits for those again, and what is lower stays written off. */
    @Test
    void aSiteThatWasReadBeforeItWentIsWrittenOffLikeOneThatWasNot() {
        scene.site(SICK);
        scene.cluster(SICK, "s", 0, 2, Labels.NONE);
        scene.cap(3);
        scene.campaign(CampaignBuilder.named("up").budget(3).build());
        scene.cluster("c", 0, 2);
        assertThat(scene.inFlight()).hasSize(3);
        stamp(SICK);
        scene.take(new Input.SiteUnreachable(SICK, scene.now));
        scene.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        assertThat(scene.closed("c-w-1")).containsExactly(GateLabel.BUDGET);
        scene.succeed("c-w-0");
        scene.succeed("c-w-1");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void aSiteThatComesBackCountsAgain() {
        unread(2);
        scene.order(new OperatorOrderKey.WriteOffSite(SICK), OperatorOrder.OrderVerb.WRITE_OFF);
        scene.state.markRead(SICK);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        SiteHead back = (SiteHead) scene.rows.get(new RowKey(Table.HEAD, SICK));
        assertThat(back.isWrittenOff()).isFalse();
        assertThat(back.writeOff().beforeAttempt()).isPositive();
    }

    @Test
    void anOrderToWriteOffIsAppliedOnce() {
        unread(2);
        OperatorOrder order = new OperatorOrder(new OperatorOrderKey.WriteOffSite(SICK), "id", "ada", "burnt down", null, OperatorOrder.OrderVerb.WRITE_OFF);
        scene.arrive(order);
        Object first = scene.rows.get(new RowKey(Table.HEAD, SICK));
        scene.pass(Duration.ofMinutes(1));
        scene.arrive(order);
        assertThat(scene.rows.get(new RowKey(Table.HEAD, SICK))).isEqualTo(first);
    }

    @Test
    void nobodyWritesOffASiteThatThereIsNot() {
        scene.order(new OperatorOrderKey.WriteOffSite(new SiteId("nort")), OperatorOrder.OrderVerb.WRITE_OFF);
        assertThat(scene.events()).endsWith(Event.REJECTED);
        assertThat(scene.rows).doesNotContainKey(new RowKey(Table.HEAD, new SiteId("nort")));
    }

    private void stamp(SiteId site) {
        SiteHead head = scene.state.site(site).head();
        scene.state.put(head.withReadPosition(
                scene.state.site(site).inFlight(), scene.state.budgetsUsed(site), head.offsets(), head.topicIds()));
    }

    private WaveStatus wave(String name) {
        return (WaveStatus) scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, name)));
    }

    private void unread(int inFlight) {
        unread(inFlight, List.of());
    }

    /** A rejection stands in a topic of the fleet, and keeps what was accepted last of a row of the site. */
    @Test
    void aRejectedRowOfItDoesNotMakeItReadNorItsOldRowsCount() {
        scene.cap(3);
        MachineRow old = MachineBuilder.of(SICK, "k", "k-w-1").build();
        scene.state.put(rejected(old));
        unread(2);
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.state.site(SICK))
                .satisfies(site -> assertThat(site.machines()).isZero());

        scene.state.markRead(SICK);
        assertThat(scene.state.site(SICK))
                .satisfies(site -> assertThat(site.machines()).isOne());
    }

    @Test
    void aRejectionThatIsOverLeavesNothingOfIt() {
        MachineRow old = MachineBuilder.of(SICK, "k", "k-w-1").build();
        unread(0);
        scene.state.put(rejected(old));
        scene.state.put(new Tombstone(rejected(old).rowKey()));
        scene.state.markRead(SICK);
        assertThat(scene.state.machine(old.key())).isNull();
    }

    private RejectedRecord rejected(MachineRow accepted) {
        return new RejectedRecord(
                        new RejectedRecordKey("flotilla.inventory.sick", 0, "machine/default/k-w-1"),
                        7,
                        RejectionReason.NOT_JSON,
                        "",
                        "?",
                        "not JSON",
                        scene.now)
                .withLastAccepted(accepted);
    }

    private void unread(int inFlight, @Nullable List<FailureBudgetUse> budgets) {
        scene.state.put(new SiteHead(SICK, null, Instant.EPOCH, inFlight, budgets, List.of()));
    }

    /** What a leader would say of a site in its head row. */
    private @Nullable List<FailureBudgetUse> budgets(SiteId site) {
        return scene.state.budgetsUsed(site);
    }
}
