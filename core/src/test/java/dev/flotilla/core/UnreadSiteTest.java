package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader that took over while a site's topics could not be read knows of it what the head row says. */
class UnreadSiteTest {
    private static final SiteId SICK = new SiteId("sick");

    private final Scene scene = Scene.open();

    @Test
    void itsMachinesInFlightCountAgainstTheFleetsCap() {
        scene.cap(3);
        unread(2);
        scene.cluster("c", 0, 9);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(9).build());
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.closed("c-w-8")).contains(GateLabel.FLEET_CAP);
    }

    @Test
    void aCampaignWithABudgetDoesNotSpendItBlindly() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(5).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void aCampaignThatSelectsItDoesNotEndWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        scene.take(new Input.SiteReachable(SICK, scene.now));
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void aCampaignOfOtherSitesEndsWithoutIt() {
        unread(0);
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .select(new Selection(List.of(Scene.SITE), Selector.ALL, Selector.ALL, List.of(), List.of(), List.of()))
                .budget(1)
                .build());
        scene.succeed("c-w-0");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }

    private void unread(int inFlight) {
        scene.state.put(new SiteHead(SICK, null, Instant.EPOCH, inFlight, List.of()));
    }
}
