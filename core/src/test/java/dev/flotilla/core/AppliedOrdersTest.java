package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selector;
import java.util.ArrayList;
import java.util.List;
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
    void aCampaignWhoseRowIsFullOfOrdersToWavesThatAreNoMoreCanStillBeReadAndStopped() {
        withWave("last");
        List<AppliedOrder> many = new ArrayList<>();
        for (int i = 0; i < CampaignStatus.MAX_APPLIED_ORDERS; i++) {
            many.add(new AppliedOrder(new OrderKey.Approve(UP, "w" + i).toString(), "order"));
        }
        CampaignStatus now = scene.campaignStatus("up");
        CampaignStatus full =
                new CampaignStatus(UP, now.uid(), now.accepted(), now.state(), null, now.since(), List.of(), 0, many);
        scene.state.put(full);
        scene.rows.put(full.at(), full);
        scene.order(new OrderKey.Approve(UP, "last"), Verb.APPROVE);
        scene.order(new OrderKey.State(UP), Verb.PAUSE);
        CampaignStatus status = scene.campaignStatus("up");
        assertThat(status.state()).isEqualTo(RunState.PAUSED);
        assertThat(status.appliedOrders())
                .extracting(AppliedOrder::order)
                .containsExactly("up/approve/last", "up/state");
    }

    private void withWave(String name) {
        scene.campaign(
                CampaignBuilder.named("up").wave(name, Selector.ALL, true, 100).build());
    }
}
