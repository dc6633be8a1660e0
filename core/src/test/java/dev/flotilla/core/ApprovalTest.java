package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
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

/** Four eyes: an approval is of the edition that was looked at, and ends with an edit of what it was about. */
class ApprovalTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final OperatorOrderKey CANARY = new OperatorOrderKey.ApproveWave(UP, "canary");

    private final Scene scene = Scene.open();

    @BeforeEach
    void tenClusters() {
        for (int i = 0; i < 10; i++) {
            scene.cluster("c" + i, 0, 2);
        }
        scene.campaign(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build());
        assertThat(scene.inFlight()).isEmpty();
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
                        List.of(Scene.SITE), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of())));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void endsWithAnEditOfWhatItWasAbout(UnaryOperator<CampaignBuilder> edit) {
        scene.order(CANARY, OrderVerb.APPROVE);
        assertThat(scene.inFlight()).hasSize(2);
        scene.campaign(
                edit.apply(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE)).build());
        scene.inFlight().forEach(scene::succeed);
        scene.pass(Duration.ofDays(1));
        assertThat(scene.inFlight()).as("started without an approval").isEmpty();
        assertThat(scene.closed("c0-w-0")).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("edits")
    void isAskedForAfterAnEditBeforeAnybodyApproved(UnaryOperator<CampaignBuilder> edit) {
        scene.campaign(
                edit.apply(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE)).build());
        scene.pass(Duration.ofDays(1));
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void ofTheNewEditionLetsTheCampaignGoOn() {
        scene.order(CANARY, OrderVerb.APPROVE);
        scene.campaign(canary(new CountOrPercent.Percent(100), Wave.WaveApproval.BEFORE).build());
        assertThat(scene.explain(waiting()).next()).contains("was edited", "approves edition " + edition());
        scene.order(CANARY, OrderVerb.APPROVE);
        assertThat(scene.inFlight()).hasSize(20);
    }

    @Test
    void holdsThroughAnEditOfWhenTheCampaignRuns() {
        scene.order(CANARY, OrderVerb.APPROVE);
        Campaign later = canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE)
                .priority(7)
                .deadline(Scene.START.plus(Duration.ofDays(9)))
                .build();
        scene.campaign(new Campaign(later.name(), CampaignBuilder.labels("team", "edge"), later.spec()));
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).as("the rest goes on").hasSize(18);
    }

    @Test
    void ofAnotherEditionOrOfNoneIsRefusedWithTheEditionThatCounts() {
        String seen = edition();
        scene.campaign(canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        approve("order-of-the-old-edition", seen);
        assertThat(refused().reason()).isEqualTo(RejectionReason.CONTRADICTION);
        assertThat(refused().path()).isEqualTo("edition");
        assertThat(refused().value()).isEqualTo(seen);
        assertThat(refused().problem()).contains(edition());
        approve("order-of-no-edition", null);
        assertThat(refused().reason()).isEqualTo(RejectionReason.MISSING_FIELD);
        assertThat(refused().value()).isEmpty();
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void isTakenBackByItsTombstone() {
        scene.order(CANARY, OrderVerb.APPROVE);
        scene.arrive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        scene.failForGood(scene.inFlight().get(0));
        scene.order(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY);
        assertThat(scene.inFlight()).as("what it had let begin ends by itself").hasSize(1);
        scene.order(CANARY, OrderVerb.APPROVE);
        assertThat(scene.inFlight()).hasSize(2);
    }

    @Test
    void aCampaignInWhichNobodyApprovesIsEditedFreely() {
        Scene free = Scene.open();
        free.cluster("a", 0, 2);
        free.cap(1);
        free.campaign(CampaignBuilder.named("up").build());
        free.campaign(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(9)).build());
        free.succeed("a-w-0");
        assertThat(free.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void editionsDifferWithContentAndNotWithWhatAnEditSaysOfItself() {
        Campaign campaign = canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build();
        assertThat(CampaignContentHash.compute(campaign)).isEqualTo("75918160c9cbfd16");
        Campaign edit = new Campaign(
                campaign.name(),
                campaign.labels(),
                campaign.spec().with(campaign.spec().constraints().expectedContentHash("x")));
        assertThat(CampaignContentHash.compute(edit)).isEqualTo(CampaignContentHash.compute(campaign));
        assertThat(CampaignContentHash.compute(new Campaign(campaign.name(), CampaignBuilder.labels("a", "b"), campaign.spec())))
                .isNotEqualTo(CampaignContentHash.compute(campaign));
        assertThat(campaign.labels()).isEqualTo(Labels.NONE);
    }

    private String waiting() {
        return Stream.of("c0-w-0", "c1-w-0", "c2-w-0")
                .filter(name -> !scene.inFlight().contains(name))
                .findFirst()
                .orElseThrow();
    }

    private String edition() {
        return CampaignContentHash.compute(scene.campaignStatus("up").acceptedCampaign());
    }

    private void approve(String id, @Nullable String edition) {
        scene.arrive(new OperatorOrder(CANARY, id, "ada", "test", scene.uid(UP), edition, null, OrderVerb.APPROVE));
    }

    private RejectedRecord refused() {
        return scene.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void writtenAgainLeavesNoTraceUntilAnEditEndedIt() {
        approve("once", edition());
        String approved = edition();
        int before = scene.decisions.size();
        approve("once", approved);
        assertThat(scene.decisions).hasSize(before);
        scene.campaign(canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        approve("once", approved);
        assertThat(refused().problem()).contains("look at it, and approve that one");
    }

    @Test
    void afterItsWaveMayBeGivenForTheNextEditionBeforeAnythingHasSucceeded() {
        scene.campaign(canary(new CountOrPercent.Count(2), Wave.WaveApproval.AFTER).build());
        assertThat(scene.inFlight()).isEmpty();
        scene.order(CANARY, OrderVerb.APPROVE);
        assertThat(scene.inFlight())
                .as("it ends the wait for a look at the edit")
                .hasSize(2);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).as("the wave itself is not approved by it").isEmpty();
        scene.order(CANARY, OrderVerb.APPROVE);
        assertThat(scene.inFlight()).hasSize(18);
    }

    @Test
    void ofAClosedWaveIsTakenBackToNoEffect() {
        scene.order(CANARY, OrderVerb.APPROVE);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).hasSize(18);
        int before = scene.decisions.size();
        scene.arrive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        assertThat(scene.decisions.get(before).facts())
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
    }

    @Test
    void ofAWaveThatThereIsNotIsRefused() {
        scene.order(new OperatorOrderKey.ApproveWave(UP, "none"), OrderVerb.APPROVE);
        assertThat(refused().problem()).isEqualTo("campaign up has no such wave");
        assertThat(refused().value()).isEqualTo("none");
    }

    @Test
    void afterItsWaveIsRefusedBeforeTheWaveHasBegunAndBeforeItHasSucceeded() {
        Scene after = Scene.open();
        after.cluster("a", 0, 2);
        after.cap(1);
        OperatorOrderKey first = new OperatorOrderKey.ApproveWave(UP, "canary");
        after.campaign(CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(), LabelSelector.ALL, null, Wave.WaveApproval.AFTER, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        after.succeed("a-w-0");
        after.order(first, OrderVerb.APPROVE);
        assertThat(after.refusal().problem())
                .isEqualTo("wave canary is approved after its machines have succeeded; 1 of 2 have");
        after.failForGood("a-w-1");
        after.order(first, OrderVerb.APPROVE);
        assertThat(after.rejected()).as("nothing of it is left").isEmpty();
    }

    @Test
    void thatAnotherApprovalHasReplacedIsNotTakenBackByATombstone() {
        approve("first", edition());
        Tombstone tombstone = new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey());
        scene.campaign(canary(new CountOrPercent.Count(4), Wave.WaveApproval.BEFORE).build());
        int before = scene.decisions.size();
        scene.arrive(tombstone);
        assertThat(scene.decisions.get(before).facts())
                .as("an edit has ended it already")
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ORDER_APPLIED);
    }

    @Test
    void writtenAgainWithAnotherIdIsApplied() {
        approve("first", edition());
        int before = scene.decisions.size();
        approve("second", edition());
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ORDER_APPLIED);
    }

    @Test
    void ofACampaignThatIsThereNoMoreIsTakenBackToNoEffect() {
        approve("first", edition());
        scene.inFlight().forEach(scene::succeed);
        scene.arrive(new Tombstone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.topic.Table.CAMPAIGNS, UP)));
        scene.inFlight().forEach(name -> scene.report(name, new dev.flotilla.schemas.row.AttemptReport.Cancelled()));
        assertThat(scene.state.rollout(UP)).isNull();
        int before = scene.decisions.size();
        scene.arrive(new Tombstone(new OperatorOrder(CANARY, "", "", "", 1L, OrderVerb.APPROVE).rowKey()));
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ORDER_APPLIED);
    }

    @Test
    void ofAnEarlierCampaignOfTheNameIsTakenBackToNoEffect() {
        approve("first", edition());
        scene.inFlight().forEach(scene::succeed);
        scene.arrive(new Tombstone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.topic.Table.CAMPAIGNS, UP)));
        scene.inFlight().forEach(name -> scene.report(name, new dev.flotilla.schemas.row.AttemptReport.Cancelled()));
        OperatorOrder old = scene.state.orders().get(CANARY);
        scene.campaign(canary(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE).build());
        assertThat(old).isNotNull();
        int before = scene.decisions.size();
        scene.arrive(new Tombstone(old.rowKey()));
        assertThat(scene.decisions.get(before).facts())
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
    }

    @Test
    void aWaveThatTakesNothingNeedsNone() {
        Scene other = Scene.open();
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
                .as("it may take machines of the site that is away")
                .isEmpty();
        other.state.markRead(away);
        other.pass(Duration.ZERO);
        assertThat(other.inFlight()).containsExactly("a-w-0");
    }
}
