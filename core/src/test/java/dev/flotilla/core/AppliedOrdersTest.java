package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selector;
import org.junit.jupiter.api.Test;

/** Which orders were applied is kept in the campaign's row, however long people edit the campaign. */
class AppliedOrdersTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @Test
    void ofWavesThatAreNoMoreNothingIsKept() {
        scene.cluster("a", 0, 3);
        withWave("first");
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        scene.order(new OrderKey.Retry(UP), Verb.RETRY);
        withWave("second");
        scene.order(new OrderKey.Approve(UP, "second"), Verb.APPROVE);
        assertThat(scene.campaignStatus("up").appliedOrders())
                .extracting(AppliedOrder::order)
                .containsExactly("up/retry", "up/approve/second");
    }

    @Test
    void aCampaignWhoseWavesWereRenamedAndApprovedAThousandTimesCanStillBeReadAndStopped() {
        for (int i = 0; i <= CampaignStatus.MAX_APPLIED_ORDERS; i++) {
            withWave("w" + i);
            scene.order(new OrderKey.Approve(UP, "w" + i), Verb.APPROVE);
        }
        scene.order(new OrderKey.State(UP), Verb.PAUSE);
        CampaignStatus status = scene.campaignStatus("up");
        assertThat(status.state()).isEqualTo(RunState.PAUSED);
        assertThat(status.appliedOrders()).hasSizeLessThanOrEqualTo(CampaignStatus.MAX_APPLIED_ORDERS);
    }

    private void withWave(String name) {
        scene.campaign(
                CampaignBuilder.named("up").wave(name, Selector.ALL, true, 100).build());
    }
}
