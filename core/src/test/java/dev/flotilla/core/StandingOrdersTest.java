package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RunState;
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
        state(Verb.RUN, "go");
        state(Verb.PAUSE, "stop");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void anAbortWithTheIdOfTheLastPauseEndsTheCampaign() {
        state(Verb.PAUSE, "stop");
        state(Verb.ABORT, "for good");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.ABORTED);
    }

    @Test
    void theSamePauseStopsTheCampaignAgainAfterARunWithItsId() {
        state(Verb.PAUSE, "stop");
        state(Verb.RUN, "go");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        state(Verb.PAUSE, "stop");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
    }

    @Test
    void theSameRunWrittenAgainDoesNotResumeWhatTheBudgetHasPaused() {
        state(Verb.RUN, "go");
        scene.failForGood("a-w-0");
        scene.failForGood("a-w-1");
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
        scene.campaign(CampaignBuilder.named("up").budget(9).build());
        state(Verb.RUN, "go");
        state(Verb.RUN, "go, as I said");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aTombstoneLiftsNoFreeze(OrderKey freeze) {
        scene.order(freeze, Verb.FREEZE);
        scene.arrive(new Gone(new RowKey(Table.FREEZES, freeze)));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        Rejected rejected = rejected();
        assertThat(rejected).isNotNull();
        assertThat(rejected.key().key()).isEqualTo(freeze.toString());
        assertThat(rejected.problem()).contains("unfreeze");
        assertThat(scene.explain("a-w-1").toString()).contains("by the order of ada: test");

        scene.order(freeze, Verb.UNFREEZE);
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).as("a readable order took its place").isNull();
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void whoeverRestoresAfterTheTombstoneIsGoneKnowsTheFreeze(OrderKey freeze) {
        scene.order(freeze, Verb.FREEZE);
        Gone tombstone = new Gone(new RowKey(Table.FREEZES, freeze));
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
    void theSameFreezeWrittenAgainAfterATombstoneHolds(OrderKey freeze) {
        Order order = new Order(freeze, TICKET, "ada", "test", null, Verb.FREEZE);
        scene.arrive(order);
        scene.arrive(new Gone(order.at()));
        scene.arrive(order);
        assertThat(rejected()).isNull();
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        var restored = new dev.flotilla.core.fleet.FleetState();
        scene.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
    }

    @Test
    void aTombstoneOfAPolicyLiftsItsFreezeNoMoreThanOneOfAnOrder() {
        scene.arrive(new Policy(Scene.SITE, null, null, true, null, null, null, null));
        scene.arrive(new Gone(new RowKey(Table.POLICIES, Scene.SITE)));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(rejected()).isNotNull();
        scene.arrive(new Policy(Scene.SITE, null, null, false, null, null, null, null));
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).isNull();
    }

    @Test
    void aTombstoneOfAPauseResumesNothing() {
        state(Verb.PAUSE, "stop");
        scene.arrive(new Gone(new RowKey(Table.ORDERS, new OrderKey.State(UP))));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
    }

    @Test
    void aPausedCampaignThatIsRemovedAndWrittenAgainStaysPaused() {
        state(Verb.PAUSE, "stop");
        scene.succeed("a-w-0");
        scene.arrive(new Gone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
        assertThat(rejected()).isNotNull();
        assertThat(rejected().problem()).contains("paused (pause by ada: stop)", "Order to abort it");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(rejected()).as("the campaign's row is there again").isNull();
        state(Verb.RUN, "go");
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void aCampaignThatItsBudgetHasPausedIsNotFreedByItsTombstoneEither() {
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.failForGood("a-w-0");
        scene.campaign(CampaignBuilder.named("up").budget(9).build());
        scene.failForGood(scene.inFlight().get(0));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
        long uid = scene.uid(UP);
        scene.arrive(new Gone(new RowKey(Table.CAMPAIGNS, UP)));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.uid(UP)).isEqualTo(uid);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.PAUSED);
    }

    @Test
    void whatAPausedCampaignWasRemovedForIsDoneWhenItIsAborted() {
        state(Verb.PAUSE, "stop");
        scene.succeed("a-w-0");
        scene.arrive(new Gone(new RowKey(Table.CAMPAIGNS, UP)));
        state(Verb.ABORT, "for good");
        assertThat(scene.state.rollout(UP)).as("nothing of it is left").isNull();
    }

    static List<OrderKey> freezes() {
        return List.of(new OrderKey.FleetFreeze(), new OrderKey.SiteFreeze(Scene.SITE));
    }

    private void state(Verb verb, String why) {
        scene.arrive(new Order(new OrderKey.State(UP), TICKET, "ada", why, scene.uid(UP), verb));
    }

    private @Nullable Rejected rejected() {
        return scene.rows.values().stream()
                .filter(Rejected.class::isInstance)
                .map(Rejected.class::cast)
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aScopeIsFrozenAgainAfterItsFreezeWasLifted(OrderKey freeze) {
        scene.order(freeze, Verb.FREEZE);
        scene.order(freeze, Verb.UNFREEZE);
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        scene.order(freeze, Verb.FREEZE);
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(scene.rows.get(new RowKey(Table.FREEZES, freeze)))
                .isInstanceOfSatisfying(
                        Order.class, order -> assertThat(order.verb()).isEqualTo(Verb.FREEZE));
    }

    @Test
    void whoeverPausesAPausedCampaignIsNamedFromThenOn() {
        scene.order(new OrderKey.State(UP), Verb.PAUSE);
        state(Verb.PAUSE, "the bridge is out");
        assertThat(scene.campaignStatus("up").pauseReason()).isEqualTo("pause by ada: the bridge is out");
        assertThat(scene.campaignStatus("up").appliedOrders())
                .anyMatch(applied -> applied.id().equals(TICKET));
    }
}
