package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Campaigns that overlap with different targets: the later one waits unless the overlap is approved. */
class CampaignOverlapCounterTest {
    private static final CampaignName LATER = new CampaignName("later");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void first() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.cluster("b", 1, 0);
        fleetScenario.campaign(CampaignBuilder.named("first").priority(1).build());
    }

    private void later(CampaignBuilder campaign) {
        fleetScenario.campaign(campaign.target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());
    }

    private List<CampaignName> claimingCampaigns() {
        return fleetScenario.inFlight().stream()
                .map(name ->
                        ((RolloutRef.CampaignRef) fleetScenario.attempt(name).rolloutRef()).name())
                .toList();
    }

    private String onlyClosed(String name) {
        ClosedGate closedGate = fleetScenario.explain(name).closedGates().get(0);
        assertThat(closedGate.gate()).isEqualTo(GateLabel.CAMPAIGN_NOT_RUNNING);
        return closedGate.message();
    }

    @Test
    void theLaterCampaignWaitsAndNamesTheEarlierOne() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        String flying = fleetScenario.inFlight().get(0);
        fleetScenario.succeed(flying);
        assertThat(claimingCampaigns()).containsExactly(new CampaignName("first"));
        assertThat(onlyClosed(flying))
                .isEqualTo(
                        "Campaign later overlaps with campaign first, which has another target: it waits until first has"
                                + " finished the shared machines, or run flotilla campaign approve later --overlap"
                                + " --reason TEXT.");
    }

    @Test
    void theLaterCampaignContinuesAfterTheEarlierOnesDeadline() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .deadline(fleetScenario.now.plusSeconds(60))
                .build());
        later(CampaignBuilder.named("later"));
        assertThat(claimingCampaigns()).containsExactly(new CampaignName("first"));
        fleetScenario.advance(Duration.ofSeconds(60));
        fleetScenario.report(fleetScenario.inFlight().get(0), new AttemptReport.LeaseExpired());
        assertThat(claimingCampaigns()).containsExactly(LATER);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .deadline(fleetScenario.now.plusSeconds(600))
                .build());
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(claimingCampaigns())
                .as("the earlier campaign has a later deadline")
                .containsExactly(new CampaignName("first"));
    }

    @Test
    void theLaterCampaignContinuesWhenTheEarlierOneHasFinishedTheMachines() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        for (int i = 0; i < 3; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.attempt(fleetScenario.inFlight().get(0)).target())
                .hasToString("channel=1.32-classic/stable");
    }

    @Test
    void theLaterCampaignContinuesAfterAnApproval() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        fleetScenario.order(new OperatorOrderKey.ApproveOverlap(LATER), OperatorOrder.OrderVerb.APPROVE);
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.attempt(fleetScenario.inFlight().get(0)).target())
                .hasToString("channel=1.32-classic/stable");
    }

    @Test
    void theLaterCampaignContinuesWhenTheEarlierOneIsAborted() {
        first();
        later(CampaignBuilder.named("later"));
        String flying = fleetScenario.inFlight().get(0);
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.succeed(flying);
        assertThat(fleetScenario.attempt(fleetScenario.inFlight().get(0)).target())
                .hasToString("channel=1.32-classic/stable");
    }

    @Test
    void equalTargetsNeedNoApproval() {
        first();
        fleetScenario.campaign(CampaignBuilder.named("later").priority(9).build());
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(claimingCampaigns()).containsExactly(LATER);
    }

    @Test
    void campaignsWithoutCommonMachinesDoNotWaitForEachOther() {
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.campaign(CampaignBuilder.named("first")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        later(CampaignBuilder.named("later").select(CampaignBuilder.only(MachineRole.CONTROL_PLANE)));
        assertThat(claimingCampaigns()).containsExactlyInAnyOrder(new CampaignName("first"), LATER);
    }

    @Test
    void theApprovalIsKeptInTheCampaignsRow() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        fleetScenario.order(new OperatorOrderKey.ApproveOverlap(LATER), OperatorOrder.OrderVerb.APPROVE);
        assertThat(fleetScenario.campaignStatus("later").appliedOrders())
                .anyMatch(applied -> applied.order().equals("later/overlap"));
    }

    private void approve(String id, @org.jspecify.annotations.Nullable Long other) {
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.ApproveOverlap(LATER),
                id,
                "ada",
                "test",
                fleetScenario.uid(LATER),
                null,
                other,
                OperatorOrder.OrderVerb.APPROVE));
    }

    private List<String> refusals() {
        return fleetScenario.rows.values().stream()
                .filter(dev.flotilla.schemas.row.RejectedRecord.class::isInstance)
                .map(row -> ((dev.flotilla.schemas.row.RejectedRecord) row).problem())
                .toList();
    }

    @Test
    void rejectsAnOverlapApprovalWithoutAnEarlierCampaign() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        fleetScenario.campaign(
                CampaignBuilder.named("latest").target("revision=7").build());
        String expected =
                "an overlap approval must name the uid of an earlier campaign that is not over: campaign first has"
                        + " the uid " + fleetScenario.uid(new CampaignName("first"));
        approve("nobody", null);
        assertThat(refusals()).containsExactly(expected);
        assertThat(fleetScenario.onlyRejection().reason())
                .isEqualTo(dev.flotilla.schemas.row.RejectionReason.MISSING_FIELD);
        approve("itself", fleetScenario.uid(LATER));
        assertThat(refusals()).containsExactly(expected);
        assertThat(fleetScenario.onlyRejection().reason())
                .isEqualTo(dev.flotilla.schemas.row.RejectionReason.CONTRADICTION);
        assertThat(fleetScenario.onlyRejection().value()).isEqualTo(Long.toString(fleetScenario.uid(LATER)));
        approve("latest", fleetScenario.uid(new CampaignName("latest")));
        assertThat(refusals()).containsExactly(expected);
        approve("first", fleetScenario.uid(new CampaignName("first")));
        assertThat(refusals()).isEmpty();
    }

    @Test
    void rejectsAnOverlapApprovalWithAFinishedCampaign() {
        first();
        long uid = fleetScenario.uid(new CampaignName("first"));
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        approve("first", uid);
        assertThat(refusals())
                .containsExactly("an overlap approval must name the uid of an earlier campaign that is not over");
    }

    @Test
    void theSameApprovalAgainChangesNothingAndATombstoneEndsIt() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        approve("once", fleetScenario.uid(new CampaignName("first")));
        int before = fleetScenario.decisions.size();
        approve("once", fleetScenario.uid(new CampaignName("first")));
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.receive(new dev.flotilla.schemas.row.Tombstone(new dev.flotilla.schemas.id.RowKey(
                dev.flotilla.schemas.id.Table.APPROVALS, new OperatorOrderKey.ApproveOverlap(LATER))));
        assertThat(fleetScenario.campaignStatus("later").approvals().approvedOverlapUid())
                .isNull();
    }

    @Test
    void theApprovalEndsWithAnEditOfTheEarlierCampaign() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        approve("once", fleetScenario.uid(new CampaignName("first")));
        fleetScenario.campaign(CampaignBuilder.named("first").priority(3).build());
        assertThat(mayRunBeside())
                .as("an edit of the priority keeps the approval")
                .isTrue();
        int before = fleetScenario.decisions.size();
        fleetScenario.campaign(CampaignBuilder.named("first").budget(9).build());
        assertThat(mayRunBeside()).isFalse();
        assertThat(fleetScenario.decisions.get(before).changes())
                .as("an edit writes only its own rows")
                .noneMatch(rowChange -> rowChange instanceof CampaignStatus status
                        && status.name().equals(LATER));
    }

    private boolean mayRunBeside() {
        return fleetScenario.campaignStatus("later").mayOverlap(fleetScenario.campaignStatus("first"));
    }

    @Test
    void aTombstoneDoesNotEndANewerApproval() {
        first();
        fleetScenario.campaign(
                CampaignBuilder.named("second").target("revision=7").build());
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        approve("once", fleetScenario.uid(new CampaignName("first")));
        fleetScenario.campaign(CampaignBuilder.named("first").budget(9).build());
        assertThat(mayRunBeside()).isFalse();
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new dev.flotilla.schemas.row.Tombstone(new dev.flotilla.schemas.id.RowKey(
                dev.flotilla.schemas.id.Table.APPROVALS, new OperatorOrderKey.ApproveOverlap(LATER))));
        assertThat(fleetScenario.decisions.get(before).changes()).noneMatch(CampaignStatus.class::isInstance);
    }

    @Test
    void anEndedApprovalCountsWhenItIsWrittenAgain() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        approve("once", fleetScenario.uid(new CampaignName("first")));
        fleetScenario.campaign(CampaignBuilder.named("first").budget(9).build());
        approve("once", fleetScenario.uid(new CampaignName("first")));
        assertThat(mayRunBeside()).isTrue();
    }
}
