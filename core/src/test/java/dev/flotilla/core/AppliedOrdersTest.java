package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The campaign's row lists the applied orders, however long a campaign is edited. */
class AppliedOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void forgetsOrdersOfRemovedWaves() {
        fleetScenario.cluster("a", 0, 3);
        withWave("first");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OrderVerb.RETRY);
        withWave("second");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "second"), OrderVerb.APPROVE);
        assertThat(fleetScenario.campaignStatus("up").appliedOrders())
                .extracting(AppliedOrder::order)
                .containsExactly("up/retry", "up/approve/second");
    }

    @Test
    void aRowFullOfOrdersOfRemovedWavesCanBeReadAndItsCampaignStopped() {
        withWave("last");
        List<AppliedOrder> many = new ArrayList<>();
        for (int i = 0; i < CampaignStatus.MAX_APPLIED_ORDERS; i++) {
            many.add(new AppliedOrder(new OperatorOrderKey.ApproveWave(UP, "w" + i).toString(), "order"));
        }
        CampaignStatus now = fleetScenario.campaignStatus("up");
        CampaignStatus full = new CampaignStatus(
                UP, now.uid(), now.acceptedCampaign(), now.state(), null, now.stateSince(), List.of(), 0, many);
        fleetScenario.state.put(full);
        fleetScenario.rows.put(full.rowKey(), full);
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "last"), OrderVerb.APPROVE);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.PAUSE);
        CampaignStatus status = fleetScenario.campaignStatus("up");
        assertThat(status.state()).isEqualTo(CampaignState.PAUSED);
        assertThat(status.appliedOrders())
                .extracting(AppliedOrder::order)
                .containsExactly("up/approve/last", "up/state");
    }

    private void withWave(String name) {
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(name, LabelSelector.ALL, true, 100)
                .build());
    }
}
