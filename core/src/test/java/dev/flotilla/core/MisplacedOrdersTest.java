package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.edition.Edition;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever may write {@code orders} may neither approve nor freeze; and what earlier versions wrote there is not forgotten. */
class MisplacedOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    static List<OrderKey> freezes() {
        return List.of(new OrderKey.FleetFreeze(), new OrderKey.SiteFreeze(Scene.SITE));
    }

    @Test
    void anApprovalOnOrdersApprovesNothingAndIsToldWhereItBelongs() {
        scene.cluster("a", 0, 1);
        scene.campaign(
                CampaignBuilder.named("up").wave("all", Selector.ALL, true, 100).build());
        Order approval = approval();
        scene.arrive(approval.on(Table.ORDERS));
        assertThat(scene.inFlight()).isEmpty();
        Rejected rejected = rejected("up/approve/all");
        assertThat(rejected.reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(rejected.problem())
                .isEqualTo(
                        "an order under up/approve/all belongs on flotilla.approvals, not on flotilla.orders: write it"
                                + " there");
        scene.arrive(approval);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anOverlapOnOrdersApprovesNothing() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.arrive(
                new Order(new OrderKey.Overlap(UP), "o", "ada", "", scene.uid(UP), null, scene.uid(UP), Verb.APPROVE)
                        .on(Table.ORDERS));
        assertThat(rejected("up/overlap").reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(scene.campaignStatus("up").approvals().overlapOf()).isNull();
    }

    @Test
    void aTombstoneOverAMisplacedApprovalWithdrawsNoApproval() {
        scene.cluster("a", 0, 1);
        scene.campaign(
                CampaignBuilder.named("up").wave("all", Selector.ALL, true, 100).build());
        scene.arrive(approval());
        scene.arrive(approval().on(Table.ORDERS));
        scene.arrive(new Gone(approval().on(Table.ORDERS).at()));
        WaveStatus wave = (WaveStatus) scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "all")));
        assertThat(wave.approvedBy()).isEqualTo("o");
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aFreezeOnOrdersIsRefusedAndClosesUntilAnUnfreezeNamesIt(OrderKey key) {
        aMachineAtWorkAndOneThatWaits();
        scene.arrive(freeze(key).on(Table.ORDERS));
        assertThat(rejected(key.toString()).reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(rejected(key.toString()).problem())
                .contains("belongs on flotilla.freezes, not on flotilla.orders")
                .contains("Until an order to unfreeze there lifts old, nothing starts");
        assertThat(scene.attempt("a-w-0").cancelled()).isTrue();
        assertThat(scene.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT).doesNotContain(GateLabel.FREEZE);
        assertThat(scene.explain("a-w-1").toString())
                .contains("The order old of ada freezes " + key + " on flotilla.orders, where no freeze belongs");

        scene.order(key, Verb.UNFREEZE);
        assertThat(scene.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        scene.arrive(new Order(key, "new", "ada", "over", null, Verb.UNFREEZE).lifting(List.of("old")));
        assertThat(scene.closed("a-w-1")).doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aTombstoneLiftsItNoMoreThanAnyOtherFreeze(OrderKey key) {
        aMachineAtWorkAndOneThatWaits();
        scene.arrive(freeze(key).on(Table.ORDERS));
        scene.arrive(new Gone(freeze(key).on(Table.ORDERS).at()));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        scene.arrive(new Order(key, "new", "ada", "over", null, Verb.UNFREEZE).on(Table.ORDERS));
        assertThat(scene.closed("a-w-1")).as("an unfreeze with who and why").doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnfreezeOnOrdersLiftsNoFreezeThatStandsWhereItBelongs() {
        aMachineAtWorkAndOneThatWaits();
        scene.order(new OrderKey.FleetFreeze(), Verb.FREEZE);
        scene.arrive(new Order(new OrderKey.FleetFreeze(), "u", "ada", "", null, Verb.UNFREEZE).on(Table.ORDERS));
        assertThat(scene.closed("a-w-1")).contains(GateLabel.FREEZE).doesNotContain(GateLabel.REJECTED_INPUT);
        assertThat(rejected("fleet/freeze").reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
    }

    @Test
    void aFreezeThatAnEarlierVersionAcceptedStillClosesAfterARestore() {
        aMachineAtWorkAndOneThatWaits();
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        restored.put(freeze(new OrderKey.FleetFreeze()).on(Table.ORDERS));
        assertThat(restored.orders().misplacedFreeze(new OrderKey.FleetFreeze()))
                .isNotNull();
    }

    private void aMachineAtWorkAndOneThatWaits() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    private Order approval() {
        String edition = Edition.of(scene.campaignStatus("up").accepted());
        return new Order(new OrderKey.Approve(UP, "all"), "o", "ada", "", scene.uid(UP), edition, null, Verb.APPROVE);
    }

    private static Order freeze(OrderKey key) {
        return new Order(key, "old", "ada", "storm", null, Verb.FREEZE);
    }

    private Rejected rejected(String key) {
        return (Rejected) scene.rows.get(new RowKey(Table.REJECTED, new RejectedKey("flotilla.orders", 0, key)));
    }
}
