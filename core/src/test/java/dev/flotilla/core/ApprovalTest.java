package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.edition.Edition;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
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
    private static final OrderKey CANARY = new OrderKey.Approve(UP, "canary");

    private final Scene scene = Scene.open();

    @BeforeEach
    void tenClusters() {
        for (int i = 0; i < 10; i++) {
            scene.cluster("c" + i, 0, 2);
        }
        scene.campaign(canary(new Limit.Count(2), Wave.Approval.BEFORE).build());
        assertThat(scene.inFlight()).isEmpty();
    }

    private static CampaignBuilder canary(Limit takes, Wave.Approval approval) {
        return CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(), Selector.ALL, takes, approval, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), Selector.ALL, false, 100));
    }

    static Stream<UnaryOperator<CampaignBuilder>> edits() {
        return Stream.of(
                any -> canary(new Limit.Percent(100), Wave.Approval.BEFORE),
                any -> canary(new Limit.Count(2), Wave.Approval.NONE),
                any -> canary(new Limit.Count(2), Wave.Approval.AFTER),
                any -> CampaignBuilder.named("up"),
                edited -> edited.inFlight(new Limit.Count(20)),
                edited -> edited.budget(9),
                edited -> edited.select(new Selection(
                        List.of(Scene.SITE), Selector.ALL, Selector.ALL, List.of(), List.of(), List.of())));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void endsWithAnEditOfWhatItWasAbout(UnaryOperator<CampaignBuilder> edit) {
        scene.order(CANARY, Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(2);
        scene.campaign(
                edit.apply(canary(new Limit.Count(2), Wave.Approval.BEFORE)).build());
        scene.inFlight().forEach(scene::succeed);
        scene.pass(Duration.ofDays(1));
        assertThat(scene.inFlight()).as("started without an approval").isEmpty();
        assertThat(scene.closed("c0-w-0")).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("edits")
    void isAskedForAfterAnEditBeforeAnybodyApproved(UnaryOperator<CampaignBuilder> edit) {
        scene.campaign(
                edit.apply(canary(new Limit.Count(2), Wave.Approval.BEFORE)).build());
        scene.pass(Duration.ofDays(1));
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void ofTheNewEditionLetsTheCampaignGoOn() {
        scene.order(CANARY, Verb.APPROVE);
        scene.campaign(canary(new Limit.Percent(100), Wave.Approval.BEFORE).build());
        assertThat(scene.explain(waiting()).next()).contains("was edited", "approves edition " + edition());
        scene.order(CANARY, Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(20);
    }

    @Test
    void holdsThroughAnEditOfWhenTheCampaignRuns() {
        scene.order(CANARY, Verb.APPROVE);
        Campaign later = canary(new Limit.Count(2), Wave.Approval.BEFORE)
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
        scene.campaign(canary(new Limit.Count(4), Wave.Approval.BEFORE).build());
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
        scene.order(CANARY, Verb.APPROVE);
        scene.arrive(new Gone(new Order(CANARY, "", "", "", 1L, Verb.APPROVE).at()));
        scene.failForGood(scene.inFlight().get(0));
        scene.order(new OrderKey.Retry(UP), Verb.RETRY);
        assertThat(scene.inFlight()).as("what it had let begin ends by itself").hasSize(1);
        scene.order(CANARY, Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(2);
    }

    @Test
    void aCampaignInWhichNobodyApprovesIsEditedFreely() {
        Scene free = Scene.open();
        free.cluster("a", 0, 2);
        free.cap(1);
        free.campaign(CampaignBuilder.named("up").build());
        free.campaign(CampaignBuilder.named("up").inFlight(new Limit.Count(9)).build());
        free.succeed("a-w-0");
        assertThat(free.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void editionsDifferWithContentAndNotWithWhatAnEditSaysOfItself() {
        Campaign campaign = canary(new Limit.Count(2), Wave.Approval.BEFORE).build();
        assertThat(Edition.of(campaign)).isEqualTo("75918160c9cbfd16");
        Campaign edit = new Campaign(
                campaign.name(),
                campaign.labels(),
                campaign.spec().with(campaign.spec().terms().basedOn("x")));
        assertThat(Edition.of(edit)).isEqualTo(Edition.of(campaign));
        assertThat(Edition.of(new Campaign(campaign.name(), CampaignBuilder.labels("a", "b"), campaign.spec())))
                .isNotEqualTo(Edition.of(campaign));
        assertThat(campaign.labels()).isEqualTo(Labels.NONE);
    }

    private String waiting() {
        return Stream.of("c0-w-0", "c1-w-0", "c2-w-0")
                .filter(name -> !scene.inFlight().contains(name))
                .findFirst()
                .orElseThrow();
    }

    private String edition() {
        return Edition.of(scene.campaignStatus("up").accepted());
    }

    private void approve(String id, @Nullable String edition) {
        scene.arrive(new Order(CANARY, id, "ada", "test", scene.uid(UP), edition, null, Verb.APPROVE));
    }

    private Rejected refused() {
        return scene.rows.values().stream()
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
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
        scene.campaign(canary(new Limit.Count(4), Wave.Approval.BEFORE).build());
        approve("once", approved);
        assertThat(refused().problem()).contains("look at it, and approve that one");
    }

    @Test
    void afterItsWaveMayBeGivenForTheNextEditionBeforeAnythingHasSucceeded() {
        scene.campaign(canary(new Limit.Count(2), Wave.Approval.AFTER).build());
        assertThat(scene.inFlight()).isEmpty();
        scene.order(CANARY, Verb.APPROVE);
        assertThat(scene.inFlight())
                .as("it ends the wait for a look at the edit")
                .hasSize(2);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).as("the wave itself is not approved by it").isEmpty();
        scene.order(CANARY, Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(18);
    }

    @Test
    void ofAClosedWaveIsTakenBackToNoEffect() {
        scene.order(CANARY, Verb.APPROVE);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).hasSize(18);
        int before = scene.decisions.size();
        scene.arrive(new Gone(new Order(CANARY, "", "", "", 1L, Verb.APPROVE).at()));
        assertThat(scene.decisions.get(before).facts())
                .noneMatch(dev.flotilla.schemas.row.WaveStatus.class::isInstance);
    }

    @Test
    void ofAWaveThatThereIsNotIsRefused() {
        scene.order(new OrderKey.Approve(UP, "none"), Verb.APPROVE);
        assertThat(refused().problem()).isEqualTo("campaign up has no such wave");
        assertThat(refused().value()).isEqualTo("none");
    }

    @Test
    void afterItsWaveIsRefusedBeforeTheWaveHasBegunAndBeforeItHasSucceeded() {
        Scene after = Scene.open();
        after.cluster("a", 0, 2);
        after.cap(1);
        OrderKey first = new OrderKey.Approve(UP, "canary");
        after.campaign(CampaignBuilder.named("up")
                .wave(new Wave("canary", List.of(), Selector.ALL, null, Wave.Approval.AFTER, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), Selector.ALL, false, 100))
                .build());
        after.succeed("a-w-0");
        after.order(first, Verb.APPROVE);
        assertThat(after.refusal().problem())
                .isEqualTo("wave canary is approved after its machines have succeeded; 1 of 2 have");
        after.failForGood("a-w-1");
        after.order(first, Verb.APPROVE);
        assertThat(after.rejected()).as("nothing of it is left").isEmpty();
    }

    @Test
    void thatAnotherApprovalHasReplacedIsNotTakenBackByATombstone() {
        approve("first", edition());
        Gone tombstone = new Gone(new Order(CANARY, "", "", "", 1L, Verb.APPROVE).at());
        scene.campaign(canary(new Limit.Count(4), Wave.Approval.BEFORE).build());
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
        scene.arrive(new Gone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.topic.Table.CAMPAIGNS, UP)));
        scene.inFlight().forEach(name -> scene.report(name, new dev.flotilla.schemas.row.Report.Cancelled()));
        assertThat(scene.state.rollout(UP)).isNull();
        int before = scene.decisions.size();
        scene.arrive(new Gone(new Order(CANARY, "", "", "", 1L, Verb.APPROVE).at()));
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ORDER_APPLIED);
    }

    @Test
    void ofAnEarlierCampaignOfTheNameIsTakenBackToNoEffect() {
        approve("first", edition());
        scene.inFlight().forEach(scene::succeed);
        scene.arrive(new Gone(new dev.flotilla.schemas.id.RowKey(dev.flotilla.schemas.topic.Table.CAMPAIGNS, UP)));
        scene.inFlight().forEach(name -> scene.report(name, new dev.flotilla.schemas.row.Report.Cancelled()));
        Order old = scene.state.orders().get(CANARY);
        scene.campaign(canary(new Limit.Count(2), Wave.Approval.BEFORE).build());
        assertThat(old).isNotNull();
        int before = scene.decisions.size();
        scene.arrive(new Gone(old.at()));
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
                        Wave.Approval.BEFORE,
                        100,
                        Duration.ZERO))
                .wave(new Wave("rest", List.of(), Selector.ALL, false, 100))
                .build());
        assertThat(other.inFlight())
                .as("it may take machines of the site that is away")
                .isEmpty();
        other.state.markRead(away);
        other.pass(Duration.ZERO);
        assertThat(other.inFlight()).containsExactly("a-w-0");
    }
}
