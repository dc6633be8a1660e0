package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two campaigns that want the same machines at different targets: the later one waits, unless a person approves. */
class OverlapTest {
    private static final CampaignName LATER = new CampaignName("later");

    private final Scene scene = Scene.open();

    private void first() {
        scene.cap(1);
        scene.cluster("a", 1, 1);
        scene.cluster("b", 1, 0);
        scene.campaign(CampaignBuilder.named("first").priority(1).build());
    }

    private void later(CampaignBuilder campaign) {
        scene.campaign(campaign.target("channel=1.32-classic/stable")
                .allowingDowngrade()
                .build());
    }

    private List<CampaignName> drivers() {
        return scene.inFlight().stream()
                .map(name -> ((RolloutRef.CampaignRef) scene.attempt(name).rolloutRef()).name())
                .toList();
    }

    private String onlyClosed(String name) {
        Closed closed = scene.explain(name).closed().get(0);
        assertThat(closed.gate()).isEqualTo(GateLabel.CAMPAIGN);
        return closed.says();
    }

    @Test
    void theLaterOneWaitsAndSaysForWhom() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        String flying = scene.inFlight().get(0);
        scene.succeed(flying);
        assertThat(drivers()).containsExactly(new CampaignName("first"));
        assertThat(onlyClosed(flying))
                .isEqualTo(
                        "Campaign first came before and wants some of the machines elsewhere: campaign later waits until"
                                + " it has done with them, or for the order later/overlap.");
    }

    @Test
    void itGoesOnWhenTheEarlierOneIsPastItsDeadline() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("first")
                .deadline(scene.now.plusSeconds(60))
                .build());
        later(CampaignBuilder.named("later"));
        assertThat(drivers()).containsExactly(new CampaignName("first"));
        scene.pass(Duration.ofSeconds(60));
        scene.report(scene.inFlight().get(0), new AttemptReport.LeaseExpired());
        assertThat(drivers()).containsExactly(LATER);
        scene.campaign(CampaignBuilder.named("first")
                .deadline(scene.now.plusSeconds(600))
                .build());
        scene.succeed(scene.inFlight().get(0));
        assertThat(drivers()).as("the earlier one has time again").containsExactly(new CampaignName("first"));
    }

    @Test
    void itGoesOnWhenTheEarlierOneHasDoneWithTheMachines() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        for (int i = 0; i < 3; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.attempt(scene.inFlight().get(0)).target()).hasToString("channel=1.32-classic/stable");
    }

    @Test
    void itGoesOnWhenAPersonApproves() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        scene.order(new OperatorOrderKey.ApproveOverlap(LATER), OperatorOrder.OrderVerb.APPROVE);
        scene.succeed(scene.inFlight().get(0));
        assertThat(scene.attempt(scene.inFlight().get(0)).target()).hasToString("channel=1.32-classic/stable");
    }

    @Test
    void itGoesOnWhenTheEarlierOneIsAborted() {
        first();
        later(CampaignBuilder.named("later"));
        String flying = scene.inFlight().get(0);
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        scene.succeed(flying);
        assertThat(scene.attempt(scene.inFlight().get(0)).target()).hasToString("channel=1.32-classic/stable");
    }

    @Test
    void equalTargetsNeedNoApproval() {
        first();
        scene.campaign(CampaignBuilder.named("later").priority(9).build());
        scene.succeed(scene.inFlight().get(0));
        assertThat(drivers()).containsExactly(LATER);
    }

    @Test
    void campaignsOverOtherMachinesDoNotWaitForEachOther() {
        scene.cluster("a", 1, 1);
        scene.campaign(CampaignBuilder.named("first")
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        later(CampaignBuilder.named("later").select(CampaignBuilder.only(MachineRole.CONTROL_PLANE)));
        assertThat(drivers()).containsExactlyInAnyOrder(new CampaignName("first"), LATER);
    }

    @Test
    void theApprovalIsKeptInTheCampaignsRow() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        scene.order(new OperatorOrderKey.ApproveOverlap(LATER), OperatorOrder.OrderVerb.APPROVE);
        assertThat(scene.campaignStatus("later").appliedOrders())
                .anyMatch(applied -> applied.order().equals("later/overlap"));
    }

    private void approve(String id, @org.jspecify.annotations.Nullable Long other) {
        scene.arrive(new OperatorOrder(
                new OperatorOrderKey.ApproveOverlap(LATER), id, "ada", "test", scene.uid(LATER), null, other, OperatorOrder.OrderVerb.APPROVE));
    }

    private List<String> refusals() {
        return scene.rows.values().stream()
                .filter(dev.flotilla.schemas.row.RejectedRecord.class::isInstance)
                .map(row -> ((dev.flotilla.schemas.row.RejectedRecord) row).problem())
                .toList();
    }

    @Test
    void anApprovalThatNamesNobodyItselfOrALaterOneIsRefusedWithWhomItWaitsFor() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        scene.campaign(CampaignBuilder.named("latest").target("revision=7").build());
        String expected =
                "an overlap is approved with one earlier campaign that is not over, by its uid: campaign first has"
                        + " the uid " + scene.uid(new CampaignName("first"));
        approve("nobody", null);
        assertThat(refusals()).containsExactly(expected);
        assertThat(scene.refusal().reason()).isEqualTo(dev.flotilla.schemas.row.RejectionReason.MISSING_FIELD);
        approve("itself", scene.uid(LATER));
        assertThat(refusals()).containsExactly(expected);
        assertThat(scene.refusal().reason()).isEqualTo(dev.flotilla.schemas.row.RejectionReason.CONTRADICTION);
        assertThat(scene.refusal().value()).isEqualTo(Long.toString(scene.uid(LATER)));
        approve("latest", scene.uid(new CampaignName("latest")));
        assertThat(refusals()).containsExactly(expected);
        approve("first", scene.uid(new CampaignName("first")));
        assertThat(refusals()).isEmpty();
    }

    @Test
    void anApprovalWithACampaignThatIsOverIsRefused() {
        first();
        long uid = scene.uid(new CampaignName("first"));
        later(CampaignBuilder.named("later").priority(9));
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        approve("first", uid);
        assertThat(refusals())
                .containsExactly("an overlap is approved with one earlier campaign that is not over, by its uid");
    }

    @Test
    void theSameApprovalWrittenAgainLeavesNoTraceAndEndsWithItsTombstone() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        approve("once", scene.uid(new CampaignName("first")));
        int before = scene.decisions.size();
        approve("once", scene.uid(new CampaignName("first")));
        assertThat(scene.decisions).hasSize(before);
        scene.arrive(new dev.flotilla.schemas.row.Tombstone(new dev.flotilla.schemas.id.RowKey(
                dev.flotilla.schemas.topic.Table.APPROVALS, new OperatorOrderKey.ApproveOverlap(LATER))));
        assertThat(scene.campaignStatus("later").approvals().approvedOverlapUid()).isNull();
    }

    @Test
    void theApprovalEndsWithAnEditOfTheEarlierCampaign() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        approve("once", scene.uid(new CampaignName("first")));
        scene.campaign(CampaignBuilder.named("first").priority(3).build());
        assertThat(mayRunBeside())
                .as("how urgent it is, is no edit of what was approved")
                .isTrue();
        int before = scene.decisions.size();
        scene.campaign(CampaignBuilder.named("first").budget(9).build());
        assertThat(mayRunBeside()).isFalse();
        assertThat(scene.decisions.get(before).facts())
                .as("however many run beside it, an edit writes its own rows alone")
                .noneMatch(rowChange ->
                        rowChange instanceof CampaignStatus status && status.name().equals(LATER));
    }

    private boolean mayRunBeside() {
        return scene.campaignStatus("later").mayRunBeside(scene.campaignStatus("first"));
    }

    @Test
    void theTombstoneOfAnApprovalThatAnotherHasReplacedTakesNothingBack() {
        first();
        scene.campaign(CampaignBuilder.named("second").target("revision=7").build());
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        approve("once", scene.uid(new CampaignName("first")));
        scene.campaign(CampaignBuilder.named("first").budget(9).build());
        assertThat(mayRunBeside()).isFalse();
        int before = scene.decisions.size();
        scene.arrive(new dev.flotilla.schemas.row.Tombstone(new dev.flotilla.schemas.id.RowKey(
                dev.flotilla.schemas.topic.Table.APPROVALS, new OperatorOrderKey.ApproveOverlap(LATER))));
        assertThat(scene.decisions.get(before).facts()).noneMatch(CampaignStatus.class::isInstance);
    }

    @Test
    void anApprovalThatEndedCountsAgainWhenItIsWrittenAgain() {
        first();
        later(CampaignBuilder.named("later").priority(9));
        scene.succeed(scene.inFlight().get(0));
        approve("once", scene.uid(new CampaignName("first")));
        scene.campaign(CampaignBuilder.named("first").budget(9).build());
        approve("once", scene.uid(new CampaignName("first")));
        assertThat(mayRunBeside()).isTrue();
    }
}
