package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Run, pause, abort and freeze say how things are to be: the newest one holds, whatever id it carries. */
class StandingOrdersTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final String TICKET = "change-4711";

    private final Scene scene = Scene.open();

    @BeforeEach
    void oneMachineAtWorkAndOthersThatWait() {
        scene.cap(1);
        scene.cluster("a", 0, 3);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aPauseWithTheIdOfTheLastRunStopsTheCampaign() {
        state(OrderVerb.RUN, "go");
        state(OrderVerb.PAUSE, "stop");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void anAbortWithTheIdOfTheLastPauseEndsTheCampaign() {
        state(OrderVerb.PAUSE, "stop");
        state(OrderVerb.ABORT, "for good");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
    }

    @Test
    void theSamePauseStopsTheCampaignAgainAfterARunWithItsId() {
        state(OrderVerb.PAUSE, "stop");
        state(OrderVerb.RUN, "go");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        state(OrderVerb.PAUSE, "stop");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void theSameRunWrittenAgainDoesNotResumeWhatTheBudgetHasPaused() {
        state(OrderVerb.RUN, "go");
        scene.failForGood("a-w-0");
        scene.failForGood("a-w-1");
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        scene.campaign(CampaignBuilder.named("up").budget(9).build());
        state(OrderVerb.RUN, "go");
        state(OrderVerb.RUN, "go, as I said");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aTombstoneLiftsNoFreeze(OperatorOrderKey freeze) {
        scene.order(freeze, OrderVerb.FREEZE);
        scene.arrive(new Tombstone(new RowKey(Table.FREEZES, freeze)));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        RejectedRecord rejectedRecord = rejected();
        assertThat(rejectedRecord).isNotNull();
        assertThat(rejectedRecord.key().key()).isEqualTo(freeze.toString());
        assertThat(rejectedRecord.problem()).contains("unfreeze");
        assertThat(scene.explain("a-w-1").toString()).contains("by the order of ada: test");

        scene.order(freeze, OrderVerb.UNFREEZE);
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).as("a readable order took its place").isNull();
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void whoeverRestoresAfterTheTombstoneIsGoneKnowsTheFreeze(OperatorOrderKey freeze) {
        scene.order(freeze, OrderVerb.FREEZE);
        Tombstone tombstone = new Tombstone(new RowKey(Table.FREEZES, freeze));
        scene.arrive(tombstone);
        scene.arrive(tombstone);
        var restored = new dev.flotilla.core.fleet.FleetState();
        scene.rows.values().stream().filter(row -> !row.equals(tombstone)).forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
        assertThat(dev.flotilla.core.explain.Explain.machine(restored, scene.gates, Scene.machine("a-w-1"), scene.now)
                        .closed())
                .anyMatch(closed -> closed.gate() == GateLabel.FREEZE);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void theSameFreezeWrittenAgainAfterATombstoneHolds(OperatorOrderKey freeze) {
        OperatorOrder order = new OperatorOrder(freeze, TICKET, "ada", "test", null, OrderVerb.FREEZE);
        scene.arrive(order);
        scene.arrive(new Tombstone(order.rowKey()));
        scene.arrive(order);
        assertThat(rejected()).isNull();
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        var restored = new dev.flotilla.core.fleet.FleetState();
        scene.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
    }

    @Test
    void aTombstoneOfAPolicyLiftsItsFreezeNoMoreThanOneOfAnOrder() {
        scene.arrive(new UpgradePolicy(Scene.SITE, null, null, true, null, null, null, null));
        scene.arrive(new Tombstone(new RowKey(Table.POLICIES, Scene.SITE)));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(rejected()).isNotNull();
        scene.arrive(new UpgradePolicy(Scene.SITE, null, null, false, null, null, null, null));
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).isNull();
    }

    @Test
    void aTombstoneOfAPauseResumesNothing() {
        state(OrderVerb.PAUSE, "stop");
        scene.arrive(new Tombstone(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(UP))));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void aPausedCampaignThatIsRemovedAndWrittenAgainStaysPaused() {
        state(OrderVerb.PAUSE, "stop");
        scene.succeed("a-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(rejected()).isNotNull();
        assertThat(rejected().problem()).contains("paused (pause by ada: stop)", "Order to abort it");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(rejected()).as("the campaign's row is there again").isNull();
        state(OrderVerb.RUN, "go");
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void aCampaignThatItsBudgetHasPausedIsNotFreedByItsTombstoneEither() {
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.failForGood("a-w-0");
        scene.campaign(CampaignBuilder.named("up").budget(9).build());
        scene.failForGood(scene.inFlight().get(0));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        long uid = scene.uid(UP);
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.uid(UP)).isEqualTo(uid);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void whatAPausedCampaignWasRemovedForIsDoneWhenItIsAborted() {
        state(OrderVerb.PAUSE, "stop");
        scene.succeed("a-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        state(OrderVerb.ABORT, "for good");
        assertThat(scene.state.rollout(UP)).as("nothing of it is left").isNull();
    }

    static List<OperatorOrderKey> freezes() {
        return List.of(new OperatorOrderKey.FreezeFleet(), new OperatorOrderKey.FreezeSite(Scene.SITE));
    }

    private void state(OrderVerb verb, String why) {
        scene.arrive(new OperatorOrder(new OperatorOrderKey.SetCampaignState(UP), TICKET, "ada", why, scene.uid(UP), verb));
    }

    private @Nullable RejectedRecord rejected() {
        return scene.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aScopeIsFrozenAgainAfterItsFreezeWasLifted(OperatorOrderKey freeze) {
        scene.order(freeze, OrderVerb.FREEZE);
        scene.order(freeze, OrderVerb.UNFREEZE);
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        scene.order(freeze, OrderVerb.FREEZE);
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(scene.rows.get(new RowKey(Table.FREEZES, freeze)))
                .isInstanceOfSatisfying(
                        OperatorOrder.class, order -> assertThat(order.verb()).isEqualTo(OrderVerb.FREEZE));
    }

    @Test
    void whoeverPausesAPausedCampaignIsNamedFromThenOn() {
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.PAUSE);
        state(OrderVerb.PAUSE, "the bridge is out");
        assertThat(scene.campaignStatus("up").pauseReason()).isEqualTo("pause by ada: the bridge is out");
        assertThat(scene.campaignStatus("up").appliedOrders())
                .anyMatch(applied -> applied.id().equals(TICKET));
    }
}
