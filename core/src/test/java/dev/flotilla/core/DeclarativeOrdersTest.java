package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.rollout.CampaignEndEstimate;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Run, pause, abort and freeze are declarative: the newest one holds, whatever its id. */
class DeclarativeOrdersTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final String TICKET = "change-4711";

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneMachineAtWorkAndOthersThatWait() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aPauseWithTheIdOfTheLastRunStopsTheCampaign() {
        state(OrderVerb.RUN, "go");
        state(OrderVerb.PAUSE, "stop");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    /** Its machine in flight ends as it would, and nothing else starts. */
    @Test
    void noEndIsExpectedOfAPausedCampaign() {
        CampaignRollout campaign = Objects.requireNonNull(fleetScenario.state.rollout(UP));
        assertThat(CampaignEndEstimate.of(campaign).isUnderWay()).isTrue();
        state(OrderVerb.PAUSE, "stop");
        assertThat(campaign.inFlight()).isEqualTo(1);
        assertThat(CampaignEndEstimate.of(campaign).isUnderWay()).isFalse();
    }

    @Test
    void anAbortWithTheIdOfTheLastPauseEndsTheCampaign() {
        state(OrderVerb.PAUSE, "stop");
        state(OrderVerb.ABORT, "for good");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.ABORTED);
    }

    @Test
    void theSamePauseStopsTheCampaignAgainAfterARunWithItsId() {
        state(OrderVerb.PAUSE, "stop");
        state(OrderVerb.RUN, "go");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        state(OrderVerb.PAUSE, "stop");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void theSameRunAgainDoesNotResumeACampaignPausedByItsBudget() {
        state(OrderVerb.RUN, "go");
        fleetScenario.quarantine("a-w-0");
        fleetScenario.quarantine("a-w-1");
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(9).build());
        state(OrderVerb.RUN, "go");
        state(OrderVerb.RUN, "go, as I said");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aTombstoneLiftsNoFreeze(OperatorOrderKey freeze) {
        fleetScenario.order(freeze, OrderVerb.FREEZE);
        fleetScenario.receive(new Tombstone(new RowKey(Table.FREEZES, freeze)));
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        RejectedRecord rejectedRecord = rejected();
        assertThat(rejectedRecord).isNotNull();
        assertThat(rejectedRecord.key().key()).isEqualTo(freeze.toString());
        assertThat(rejectedRecord.problem()).contains("unfreeze");
        assertThat(fleetScenario.explain("a-w-1").toString()).contains("by the order of ada: test");

        fleetScenario.order(freeze, OrderVerb.UNFREEZE);
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).as("a readable order replaced it").isNull();
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aLeaderThatRestoresAfterCompactionKnowsTheFreeze(OperatorOrderKey freeze) {
        fleetScenario.order(freeze, OrderVerb.FREEZE);
        Tombstone tombstone = new Tombstone(new RowKey(Table.FREEZES, freeze));
        fleetScenario.receive(tombstone);
        fleetScenario.receive(tombstone);
        var restored = new dev.flotilla.core.fleet.FleetState();
        fleetScenario.rows.values().stream()
                .filter(row -> !row.equals(tombstone))
                .forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
        assertThat(dev.flotilla.core.explain.MachineExplainer.explainMachine(
                                restored, fleetScenario.gates, FleetScenario.machine("a-w-1"), fleetScenario.now)
                        .closedGates())
                .anyMatch(closedGate -> closedGate.gate() == GateLabel.FREEZE);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void theSameFreezeAfterATombstoneHolds(OperatorOrderKey freeze) {
        OperatorOrder order = new OperatorOrder(freeze, TICKET, "ada", "test", null, OrderVerb.FREEZE);
        fleetScenario.receive(order);
        fleetScenario.receive(new Tombstone(order.rowKey()));
        fleetScenario.receive(order);
        assertThat(rejected()).isNull();
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        var restored = new dev.flotilla.core.fleet.FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
    }

    @Test
    void aTombstoneOfAPolicyDoesNotLiftItsFreeze() {
        fleetScenario.receive(new UpgradePolicy(FleetScenario.SITE, null, null, true, null, null, null, null));
        fleetScenario.receive(new Tombstone(new RowKey(Table.POLICIES, FleetScenario.SITE)));
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(rejected()).isNotNull();
        fleetScenario.receive(new UpgradePolicy(FleetScenario.SITE, null, null, false, null, null, null, null));
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        assertThat(rejected()).isNull();
    }

    @Test
    void aTombstoneOfAPauseDoesNotResume() {
        state(OrderVerb.PAUSE, "stop");
        fleetScenario.receive(new Tombstone(new RowKey(Table.ORDERS, new OperatorOrderKey.SetCampaignState(UP))));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void aPausedCampaignStaysPausedWhenItIsDeletedAndWrittenAgain() {
        state(OrderVerb.PAUSE, "stop");
        fleetScenario.succeed("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(rejected()).isNotNull();
        assertThat(rejected().problem())
                .contains("does not end a paused campaign (pause by ada: stop)", "abort or resume it by an order");
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(rejected()).as("the campaign's row is written again").isNull();
        state(OrderVerb.RUN, "go");
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aTombstoneDoesNotEndACampaignPausedByItsBudget() {
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        fleetScenario.quarantine("a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").budget(9).build());
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        long uid = fleetScenario.uid(UP);
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(fleetScenario.uid(UP)).isEqualTo(uid);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    @Test
    void aDeletedPausedCampaignIsRemovedWhenItIsAborted() {
        state(OrderVerb.PAUSE, "stop");
        fleetScenario.succeed("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, UP)));
        state(OrderVerb.ABORT, "for good");
        assertThat(fleetScenario.state.rollout(UP)).as("its rows are removed").isNull();
    }

    static List<OperatorOrderKey> freezes() {
        return List.of(new OperatorOrderKey.FreezeFleet(), new OperatorOrderKey.FreezeSite(FleetScenario.SITE));
    }

    private void state(OrderVerb verb, String why) {
        fleetScenario.receive(new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(UP), TICKET, "ada", why, fleetScenario.uid(UP), verb));
    }

    private @Nullable RejectedRecord rejected() {
        return fleetScenario.rows.values().stream()
                .filter(RejectedRecord.class::isInstance)
                .map(RejectedRecord.class::cast)
                .findFirst()
                .orElse(null);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aScopeCanBeFrozenAgain(OperatorOrderKey freeze) {
        fleetScenario.order(freeze, OrderVerb.FREEZE);
        fleetScenario.order(freeze, OrderVerb.UNFREEZE);
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.FREEZE);
        fleetScenario.order(freeze, OrderVerb.FREEZE);
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE);
        assertThat(fleetScenario.rows.get(new RowKey(Table.FREEZES, freeze)))
                .isInstanceOfSatisfying(
                        OperatorOrder.class, order -> assertThat(order.verb()).isEqualTo(OrderVerb.FREEZE));
    }

    @Test
    void aSecondPauseReplacesTheAuthorOfThePause() {
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.PAUSE);
        state(OrderVerb.PAUSE, "the bridge is out");
        assertThat(fleetScenario.campaignStatus("up").pauseReason()).isEqualTo("pause by ada: the bridge is out");
        assertThat(fleetScenario.campaignStatus("up").appliedOrders())
                .anyMatch(applied -> applied.id().equals(TICKET));
    }
}
