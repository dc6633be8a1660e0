package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writers of {@code orders} can neither approve nor freeze, and freezes that earlier versions wrote there still count.
 */
class MisplacedOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    static List<OperatorOrderKey> freezes() {
        return List.of(new OperatorOrderKey.FreezeFleet(), new OperatorOrderKey.FreezeSite(FleetScenario.SITE));
    }

    @Test
    void rejectsAnApprovalOnOrdersAndNamesItsTopic() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("all", LabelSelector.ALL, true, 100)
                .build());
        OperatorOrder approval = approval();
        fleetScenario.receive(approval.withTable(Table.ORDERS));
        assertThat(fleetScenario.inFlight()).isEmpty();
        RejectedRecord rejectedRecord = rejected("up/approve/all");
        assertThat(rejectedRecord.reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(rejectedRecord.problem())
                .isEqualTo(
                        "an order under up/approve/all belongs on topic flotilla.approvals, not on flotilla.orders: write it"
                                + " there");
        fleetScenario.receive(approval);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void rejectsAnOverlapApprovalOnOrders() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.receive(new OperatorOrder(
                        new OperatorOrderKey.ApproveOverlap(UP),
                        "o",
                        "ada",
                        "",
                        fleetScenario.uid(UP),
                        null,
                        fleetScenario.uid(UP),
                        OrderVerb.APPROVE)
                .withTable(Table.ORDERS));
        assertThat(rejected("up/overlap").reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(fleetScenario.campaignStatus("up").approvals().approvedOverlapUid())
                .isNull();
    }

    @Test
    void aTombstoneOfAMisplacedApprovalWithdrawsNothing() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("all", LabelSelector.ALL, true, 100)
                .build());
        fleetScenario.receive(approval());
        fleetScenario.receive(approval().withTable(Table.ORDERS));
        fleetScenario.receive(new Tombstone(approval().withTable(Table.ORDERS).rowKey()));
        WaveStatus wave =
                (WaveStatus) fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "all")));
        assertThat(wave.approvedBy()).isEqualTo("o");
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aRejectedFreezeOnOrdersClosesUntilAnUnfreezeNamesIt(OperatorOrderKey key) {
        aMachineAtWorkAndOneThatWaits();
        fleetScenario.receive(freeze(key).withTable(Table.ORDERS));
        assertThat(rejected(key.toString()).reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
        assertThat(rejected(key.toString()).problem())
                .contains("belongs on topic flotilla.freezes, not on flotilla.orders")
                .contains("Nothing starts until an unfreeze order on that topic lifts old");
        assertThat(fleetScenario.attempt("a-w-0").cancelled()).isTrue();
        assertThat(fleetScenario.closed("a-w-1"))
                .contains(GateLabel.REJECTED_INPUT)
                .doesNotContain(GateLabel.FREEZE);
        assertThat(fleetScenario.explain("a-w-1").toString())
                .contains(
                        "Order old of ada freezes " + key + " on topic flotilla.orders, which does not accept freezes");

        fleetScenario.order(key, OrderVerb.UNFREEZE);
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        fleetScenario.receive(new OperatorOrder(key, "new", "ada", "over", null, OrderVerb.UNFREEZE)
                .withLiftedFreezes(List.of("old")));
        assertThat(fleetScenario.closed("a-w-1")).doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @ParameterizedTest
    @MethodSource("freezes")
    void aTombstoneDoesNotLiftAMisplacedFreeze(OperatorOrderKey key) {
        aMachineAtWorkAndOneThatWaits();
        fleetScenario.receive(freeze(key).withTable(Table.ORDERS));
        fleetScenario.receive(new Tombstone(freeze(key).withTable(Table.ORDERS).rowKey()));
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.REJECTED_INPUT);
        fleetScenario.receive(
                new OperatorOrder(key, "new", "ada", "over", null, OrderVerb.UNFREEZE).withTable(Table.ORDERS));
        assertThat(fleetScenario.closed("a-w-1"))
                .as("an unfreeze with author and reason")
                .doesNotContain(GateLabel.REJECTED_INPUT);
    }

    @Test
    void anUnfreezeOnOrdersLiftsNoFreezeOnItsOwnTopic() {
        aMachineAtWorkAndOneThatWaits();
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        fleetScenario.receive(
                new OperatorOrder(new OperatorOrderKey.FreezeFleet(), "u", "ada", "", null, OrderVerb.UNFREEZE)
                        .withTable(Table.ORDERS));
        assertThat(fleetScenario.closed("a-w-1")).contains(GateLabel.FREEZE).doesNotContain(GateLabel.REJECTED_INPUT);
        assertThat(rejected("fleet/freeze").reason()).isEqualTo(RejectionReason.WRONG_TOPIC);
    }

    @Test
    void aMisplacedFreezeOfAnEarlierVersionClosesAfterARestore() {
        aMachineAtWorkAndOneThatWaits();
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        restored.put(freeze(new OperatorOrderKey.FreezeFleet()).withTable(Table.ORDERS));
        assertThat(restored.orders().misplacedFreeze(new OperatorOrderKey.FreezeFleet()))
                .isNotNull();
    }

    private void aMachineAtWorkAndOneThatWaits() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    private OperatorOrder approval() {
        String edition =
                CampaignContentHash.compute(fleetScenario.campaignStatus("up").acceptedCampaign());
        return new OperatorOrder(
                new OperatorOrderKey.ApproveWave(UP, "all"),
                "o",
                "ada",
                "",
                fleetScenario.uid(UP),
                edition,
                null,
                OrderVerb.APPROVE);
    }

    private static OperatorOrder freeze(OperatorOrderKey key) {
        return new OperatorOrder(key, "old", "ada", "storm", null, OrderVerb.FREEZE);
    }

    private RejectedRecord rejected(String key) {
        return (RejectedRecord)
                fleetScenario.rows.get(new RowKey(Table.REJECTED, new RejectedRecordKey("flotilla.orders", 0, key)));
    }
}
