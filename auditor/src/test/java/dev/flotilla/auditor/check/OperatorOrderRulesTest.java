package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests orders by their own rows, whatever the orchestrator records about its campaigns. */
class OperatorOrderRulesTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    @Test
    void findsACampaignThatContinuesAfterItsPause() {
        testTopicRecords.decide("campaign-paused", "", fleet.order("state", "pause"));
        expect(AuditInvariant.STOP, "the newest order about it is pause");
    }

    @Test
    void acceptsAPauseThatIsObeyed() {
        testTopicRecords.decide("campaign-paused", "", fleet.order("state", "pause"), fleet.campaign("paused", 5));
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAStartAfterATombstoneForAFreeze() {
        TestTopicRecords.TopicRow freeze = SmallFleetFixture.row(
                "freezes",
                "fleet/freeze",
                "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"verb\":\"freeze\"}");
        testTopicRecords.decide("order-applied", "", freeze);
        testTopicRecords.decide("order-applied", "", SmallFleetFixture.row("freezes", "fleet/freeze", null));
        fleet.admit("cp");
        expect(AuditInvariant.STOP, "started while its site is frozen");
    }

    @Test
    void findsAStartThatATombstoneAllowed() {
        TestTopicRecords.TopicRow unreadable = SmallFleetFixture.row(
                "rejected",
                "flotilla.freezes/0/fleet/freeze",
                "{\"topic\":\"flotilla.freezes\",\"partition\":0,\"key\":\"fleet/freeze\",\"offset\":7,\"reason\":\"not-json\","
                        + "\"path\":\"\",\"value\":\"\",\"problem\":\"\",\"at\":\"2026-01-01T00:00:00Z\",\"readable\":false}");
        testTopicRecords.decide("rejected", "", unreadable);
        testTopicRecords.decide(
                "inventory-changed", "", SmallFleetFixture.row("rejected", "flotilla.freezes/0/fleet/freeze", null));
        expect(AuditInvariant.STOP, "ended without a readable record");
    }

    @Test
    void findsAPolicyRemovedByATombstone() {
        testTopicRecords.decide("policy-removed", "", SmallFleetFixture.row("campaign-status", "policy/fleet", null));
        expect(AuditInvariant.STOP, "policy/fleet was deleted without a replacement");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auditor-orders", "orders"})
    void findsAStartDuringAFreezeInAnotherTopic(String table) {
        freeze(table, "7");
        unfreeze("6");
        fleet.admit("cp");
        expect(AuditInvariant.STOP, "started while its site is frozen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auditor-orders", "orders"})
    void acceptsAStartAfterAnUnfreezeWithTheFreezesId(String table) {
        freeze(table, "7");
        unfreeze("7");
        fleet.admit("cp");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsAWaveApprovedInTopicApprovals() {
        fleet.addToSpec("\"waves\":[{\"name\":\"all\",\"approval\":\"before\"}]");
        testTopicRecords.decide("order-applied", "", fleet.approval("approvals"));
        fleet.admit("cp");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAStartInAWaveApprovedInTopicOrders() {
        fleet.addToSpec("\"waves\":[{\"name\":\"all\",\"approval\":\"before\"}]");
        testTopicRecords.decide("order-applied", "", fleet.approval("orders"));
        fleet.admit("cp");
        expect(AuditInvariant.GATES, "which is not approved for this content");
    }

    private void freeze(String table, String id) {
        testTopicRecords.decide(
                "rejected",
                "",
                SmallFleetFixture.row(
                        table,
                        "fleet/freeze",
                        "{\"order\":\"fleet/freeze\",\"id\":\"" + id
                                + "\",\"requestedBy\":\"ada\",\"reason\":\"\",\"verb\":\"freeze\"}"));
    }

    private void unfreeze(String lifts) {
        testTopicRecords.decide(
                "order-applied",
                "",
                SmallFleetFixture.row(
                        "freezes",
                        "fleet/freeze",
                        "{\"order\":\"fleet/freeze\",\"id\":\"u\",\"requestedBy\":\"ada\",\"reason\":\"\",\"liftedFreezes\":[\""
                                + lifts + "\"],\"verb\":\"unfreeze\"}"));
    }

    private void expect(AuditInvariant auditInvariant, String detail) {
        assertThat(testTopicRecords.found).isNotEmpty();
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(auditInvariant);
        assertThat(testTopicRecords.found.get(0).detail()).contains(detail);
    }
}
