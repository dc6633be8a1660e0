package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** By the orders' own rows, whatever the orchestrator says of its campaigns. */
class OrderRulesTest {
    private final Story story = Story.watched();
    private final SmallFleet fleet = SmallFleet.in(story);

    @Test
    void findsACampaignThatRunsOnAfterItsPause() {
        story.decide("campaign-paused", "", fleet.order("state", "pause"));
        expect(Invariant.STOP, "the newest order about it is to pause");
    }

    @Test
    void findsNothingWrongWithAPauseThatIsObeyed() {
        story.decide("campaign-paused", "", fleet.order("state", "pause"), fleet.campaign("paused", 5));
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsAStartAfterAFreezeWasTakenOutOfTheTopic() {
        Story.Row freeze = SmallFleet.row(
                "orders",
                "fleet/freeze",
                "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"who\":\"ada\",\"why\":\"\",\"verb\":\"freeze\"}");
        story.decide("order-applied", "", freeze);
        story.decide("order-applied", "", SmallFleet.row("orders", "fleet/freeze", null));
        fleet.admit("cp");
        expect(Invariant.STOP, "started while its site is frozen");
    }

    private void expect(Invariant invariant, String detail) {
        assertThat(story.found).isNotEmpty();
        assertThat(story.found.get(0).invariant()).isEqualTo(invariant);
        assertThat(story.found.get(0).detail()).contains(detail);
    }
}
