package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                "freezes",
                "fleet/freeze",
                "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"who\":\"ada\",\"why\":\"\",\"verb\":\"freeze\"}");
        story.decide("order-applied", "", freeze);
        story.decide("order-applied", "", SmallFleet.row("freezes", "fleet/freeze", null));
        fleet.admit("cp");
        expect(Invariant.STOP, "started while its site is frozen");
    }

    @Test
    void findsWhatATombstoneHasOpened() {
        Story.Row unreadable = SmallFleet.row(
                "rejected",
                "flotilla.freezes/0/fleet/freeze",
                "{\"topic\":\"flotilla.freezes\",\"partition\":0,\"key\":\"fleet/freeze\",\"offset\":7,\"reason\":\"not-json\","
                        + "\"path\":\"\",\"value\":\"\",\"problem\":\"\",\"at\":\"2026-01-01T00:00:00Z\",\"readable\":false}");
        story.decide("rejected", "", unreadable);
        story.decide("inventory-changed", "", SmallFleet.row("rejected", "flotilla.freezes/0/fleet/freeze", null));
        expect(Invariant.STOP, "was opened by nothing that can be read");
    }

    @Test
    void findsAPolicyThatATombstoneHasLifted() {
        story.decide("policy-removed", "", SmallFleet.row("campaign-status", "policy/fleet", null));
        expect(Invariant.STOP, "policy/fleet went");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auditor-orders", "orders"})
    void findsAStartWhileAFreezeOnAnotherTopicHolds(String table) {
        freeze(table, "7");
        unfreeze("6");
        fleet.admit("cp");
        expect(Invariant.STOP, "started while its site is frozen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auditor-orders", "orders"})
    void findsNothingWrongWithAStartOnceAnUnfreezeHasNamedIt(String table) {
        freeze(table, "7");
        unfreeze("7");
        fleet.admit("cp");
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsNothingWrongWithAWaveThatWasApprovedOnApprovals() {
        fleet.asks("\"waves\":[{\"name\":\"all\",\"approval\":\"before\"}]");
        story.decide("order-applied", "", fleet.approval("approvals"));
        fleet.admit("cp");
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsAStartInAWaveThatWasApprovedOnOrders() {
        fleet.asks("\"waves\":[{\"name\":\"all\",\"approval\":\"before\"}]");
        story.decide("order-applied", "", fleet.approval("orders"));
        fleet.admit("cp");
        expect(Invariant.GATES, "which nobody has approved in this edition");
    }

    private void freeze(String table, String id) {
        story.decide(
                "rejected",
                "",
                SmallFleet.row(
                        table,
                        "fleet/freeze",
                        "{\"order\":\"fleet/freeze\",\"id\":\"" + id
                                + "\",\"who\":\"ada\",\"why\":\"\",\"verb\":\"freeze\"}"));
    }

    private void unfreeze(String lifts) {
        story.decide(
                "order-applied",
                "",
                SmallFleet.row(
                        "freezes",
                        "fleet/freeze",
                        "{\"order\":\"fleet/freeze\",\"id\":\"u\",\"who\":\"ada\",\"why\":\"\",\"lifts\":[\"" + lifts
                                + "\"],\"verb\":\"unfreeze\"}"));
    }

    private void expect(Invariant invariant, String detail) {
        assertThat(story.found).isNotEmpty();
        assertThat(story.found.get(0).invariant()).isEqualTo(invariant);
        assertThat(story.found.get(0).detail()).contains(detail);
    }
}
