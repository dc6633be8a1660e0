package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An approval is for the content hash that was reviewed, and ends with an edit of that content. */
class CampaignApprovalTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final OperatorOrderKey CANARY = new OperatorOrderKey.ApproveWave(UP, "canary");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void tenClusters() {
        for (int i = 0; i < 10; i++) {
            fleetScenario.cluster("c" + i, 0, 2);
        }
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    private static CampaignBuilder canary(CountOrPercent takes, Wave.WaveApproval approval) {
        return CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(), LabelSelector.ALL, takes, approval, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100));
    }

    static Stream<UnaryOperator<CampaignBuilder>> edits() {
        return Stream.of(
                any -> canary(new CountOrPercent.Percent(100), Wave.WaveApproval.BEFORE),
                any -> canary(new CountOrPercent.Count(2), Wave.WaveApproval.NONE),
                any -> canary(new CountOrPercent.Count(2), Wave.WaveApproval.AFTER),
                any -> CampaignBuilder.named("up"),
                edited -> edited.inFlight(new CountOrPercent.Count(20)),
                edited -> edited.budget(9),
                edited -> edited.select(new MachineSelection(
                        List.of(FleetScenario.SITE),
                        LabelSelector.ALL,
                        LabelSelector.ALL,
                        List.of(),
                        List.of(),
                        List.of())));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void anEditOfTheContentEndsTheApproval(UnaryOperator<CampaignBuilder> edit) {
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.campaign(edit.apply(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE))
                .build());
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        fleetScenario.advance(Duration.ofDays(1));
        assertThat(fleetScenario.inFlight()).as("started without an approval").isEmpty();
        assertThat(fleetScenario.closed("c0-w-0")).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("edits")
    void anEditBeforeTheFirstApprovalNeedsAnApproval(UnaryOperator<CampaignBuilder> edit) {
        fleetScenario.campaign(edit.apply(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE))
                .build());
        fleetScenario.advance(Duration.ofDays(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void approvingTheNewContentContinuesTheCampaign() {
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        fleetScenario.campaign(canary(new CountOrPercent.Percent(100), Wave.WaveApproval.BEFORE)
                .build());
        assertThat(fleetScenario.explain(waiting()).nextStep())
                .contains("was edited", "content hash " + edition() + " is approved");
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(20);
    }

    @Test
    void anEditOfTheScheduleKeepsTheApproval() {
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        Campaign later = canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE)
                .priority(7)
                .deadline(FleetScenario.START.plus(Duration.ofDays(9)))
                .build();
        fleetScenario.campaign(new Campaign(later.name(), CampaignBuilder.labels("team", "edge"), later.spec()));
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight()).as("the rest continues").hasSize(18);
    }

    @Test
    void rejectsAnApprovalWithoutTheCurrentContentHash() {
        String seen = edition();
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        approve("order-of-the-old-edition", seen);
        assertThat(refused().reason()).isEqualTo(RejectionReason.CONTRADICTION);
        assertThat(refused().path()).isEqualTo("contentHash");
        assertThat(refused().value()).isEqualTo(seen);
        assertThat(refused().problem()).contains(edition());
        approve("order-of-no-edition", null);
        assertThat(refused().reason()).isEqualTo(RejectionReason.MISSING_FIELD);
        assertThat(refused().value()).isEmpty();
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aTombstoneWithdrawsTheApproval() {
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        fleetScenario.receive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY);
        assertThat(fleetScenario.inFlight())
                .as("machines that it started finish")
                .hasSize(1);
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @Test
    void aCampaignWithoutApprovalsIsEditedFreely() {
        FleetScenario free = FleetScenario.open();
        free.cluster("a", 0, 2);
        free.cap(1);
        free.campaign(CampaignBuilder.named("up").build());
        free.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(9))
                .build());
        free.succeed("a-w-0");
        assertThat(free.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void contentHashIgnoresTheExpectedContentHash() {
        Campaign campaign =
                canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build();
        assertThat(CampaignContentHash.compute(campaign)).isEqualTo("75918160c9cbfd16");
        Campaign edit = new Campaign(
                campaign.name(),
                campaign.labels(),
                CampaignSpecBuilder.from(campaign.spec())
                        .expectedContentHash("x")
                        .build());
        assertThat(CampaignContentHash.compute(edit)).isEqualTo(CampaignContentHash.compute(campaign));
        assertThat(CampaignContentHash.compute(
                        new Campaign(campaign.name(), CampaignBuilder.labels("a", "b"), campaign.spec())))
                .isNotEqualTo(CampaignContentHash.compute(campaign));
        assertThat(campaign.labels()).isEqualTo(Labels.NONE);
    }

    private String waiting() {
        return Stream.of("c0-w-0", "c1-w-0", "c2-w-0")
                .filter(name -> !fleetScenario.inFlight().contains(name))
                .findFirst()
                .orElseThrow();
    }

    private String edition() {
        return CampaignContentHash.compute(fleetScenario.campaignStatus("up").acceptedCampaign());
    }

    private void approve(String id, @Nullable String edition) {
        fleetScenario.receive(
                new OperatorOrder(CANARY, id, "ada", "test", fleetScenario.uid(UP), edition, null, OrderVerb.APPROVE));
    }

    private RejectedRecord refused() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSameApprovalAgainChangesNothingUntilAnEditEndsIt() {
        approve("once", edition());
        String approved = edition();
        int before = fleetScenario.decisions.size();
        approve("once", approved);
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        approve("once", approved);
        assertThat(refused().problem()).contains("Review it, then approve that content hash");
    }

    @Test
    void anApprovalAfterAWaveAcceptsAnEditBeforeTheWaveHasSucceeded() {
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(2), Wave.WaveApproval.AFTER).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).as("the edit is approved").hasSize(2);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight())
                .as("the wave itself is not approved")
                .isEmpty();
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(18);
    }

    @Test
    void aTombstoneOfAClosedWavesApprovalChangesNothing() {
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight()).hasSize(18);
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        assertThat(fleetScenario.decisions.get(before).changes())
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
    }

    @Test
    void rejectsAnApprovalOfAnUnknownWave() {
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "none"), OrderVerb.APPROVE);
        assertThat(refused().problem()).isEqualTo("campaign up has no wave none");
        assertThat(refused().value()).isEqualTo("none");
    }

    @Test
    void rejectsAnApprovalAfterAWaveThatHasNotSucceeded() {
        FleetScenario after = FleetScenario.open();
        after.cluster("a", 0, 2);
        after.cap(1);
        OperatorOrderKey first = new OperatorOrderKey.ApproveWave(UP, "canary");
        after.campaign(CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary", List.of(), LabelSelector.ALL, null, Wave.WaveApproval.AFTER, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        after.succeed("a-w-0");
        after.order(first, OrderVerb.APPROVE);
        assertThat(after.onlyRejection().problem())
                .isEqualTo("wave canary can be approved after its machines have succeeded; 1 of 2 have");
        after.quarantine("a-w-1");
        after.order(first, OrderVerb.APPROVE);
        assertThat(after.rejected()).as("its row is removed").isEmpty();
    }

    @Test
    void aTombstoneDoesNotWithdrawANewerApproval() {
        approve("first", edition());
        Tombstone tombstone = new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey());
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(tombstone);
        assertThat(fleetScenario.decisions.get(before).changes())
                .as("an edit has ended the approval before")
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
        assertThat(fleetScenario.decisions.get(before).event()).isEqualTo(DecisionEvent.ORDER_APPLIED);
    }

    @Test
    void anApprovalWithAnotherIdIsApplied() {
        approve("first", edition());
        int before = fleetScenario.decisions.size();
        approve("second", edition());
        assertThat(fleetScenario.decisions.get(before).event()).isEqualTo(DecisionEvent.ORDER_APPLIED);
    }

    @Test
    void aTombstoneOfADeletedCampaignsApprovalChangesNothing() {
        approve("first", edition());
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        fleetScenario.receive(
                new Tombstone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.id.Table.CAMPAIGNS, UP)));
        fleetScenario
                .inFlight()
                .forEach(name -> fleetScenario.report(name, new dev.flotilla.schemas.row.AttemptReport.Cancelled()));
        assertThat(fleetScenario.state.rollout(UP)).isNull();
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        assertThat(fleetScenario.decisions.get(before).event()).isEqualTo(DecisionEvent.ORDER_APPLIED);
    }

    @Test
    void aTombstoneOfAnEarlierCampaignsApprovalChangesNothing() {
        approve("first", edition());
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        fleetScenario.receive(
                new Tombstone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.id.Table.CAMPAIGNS, UP)));
        fleetScenario
                .inFlight()
                .forEach(name -> fleetScenario.report(name, new dev.flotilla.schemas.row.AttemptReport.Cancelled()));
        OperatorOrder old = fleetScenario.state.orders().get(CANARY);
        fleetScenario.campaign(
                canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build());
        assertThat(old).isNotNull();
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new Tombstone(old.rowKey()));
        assertThat(fleetScenario.decisions.get(before).changes())
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
    }

    @Test
    void anEmptyWaveNeedsNoApproval() {
        FleetScenario other = FleetScenario.open();
        other.cluster("a", 0, 1);
        dev.flotilla.schemas.id.SiteId away = new dev.flotilla.schemas.id.SiteId("away");
        other.state.put(dev.flotilla.schemas.row.SiteHead.of(away));
        other.campaign(CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary",
                        List.of(),
                        CampaignBuilder.where("ring", "none"),
                        null,
                        Wave.WaveApproval.BEFORE,
                        100,
                        Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        assertThat(other.inFlight())
                .as("the unreadable site may have machines of the wave")
                .isEmpty();
        other.state.markRestored(away);
        other.advance(Duration.ZERO);
        assertThat(other.inFlight()).containsExactly("a-w-0");
    }
}
