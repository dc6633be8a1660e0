package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the policy's rules for intents, windows that are always open, and strict campaigns. */
class PolicyRulesTest {
    private static final String OWNER = "owner/MachineDeployment/fleet/shop";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    @BeforeEach
    void acceptsAnOwnersIntent() {
        fleet.upgrade("cp");
        testTopicRecords.decide("intent-changed", "", fleet.intent(OWNER, "o", SmallFleetFixture.TARGET));
    }

    private void intents(String rule) {
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":3,\"allowUnknownVersion\":true," + rule
                + "}");
        fleet.startForIntent(OWNER);
    }

    private void utc() {
        testTopicRecords.decide(
                "time-zone-updated",
                "",
                SmallFleetFixture.row(
                        "campaign-status",
                        "zone/UTC",
                        "{\"zone\":\"UTC\",\"initialOffsetSeconds\":0,\"transitions\":[]}"));
    }

    private void expect(AuditInvariant auditInvariant, String words) {
        testTopicRecords.over();
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).invariant())
                .as("first of " + testTopicRecords.found)
                .isEqualTo(auditInvariant);
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
    }

    @Test
    void findsAStartBeyondTheCapForIntents() {
        intents("\"inFlight\":1");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.CAPS, "number 2 in flight of annotations of site berlin");
    }

    @Test
    void findsAStartBeyondAClustersCapForIntents() {
        intents("\"clusterInFlight\":1");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.CAPS, "number 2 in flight of cluster");
    }

    @Test
    void findsAStartBesideDeletedMachinesInFlight() {
        intents("\"inFlight\":9");
        fleet.admit("w1");
        fleet.admit("w2");
        testTopicRecords.decide(
                "inventory-changed", "gone", SmallFleetFixture.row("inventory.berlin", "machine/fleet/w1", null));
        testTopicRecords.decide(
                "inventory-changed", "gone", SmallFleetFixture.row("inventory.berlin", "machine/fleet/w2", null));
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":2,\"allowUnknownVersion\":true}");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w3");
        expect(
                AuditInvariant.CLUSTER,
                "with it 3 workers of its cluster are unavailable or in flight; at most 2 may be");
    }

    @Test
    void findsAWorkerStartBesideADeletedControlPlaneMachine() {
        TestTopicRecords begun = TestTopicRecords.watched();
        SmallFleetFixture other = SmallFleetFixture.in(begun);
        other.admit("cp");
        begun.decide("inventory-changed", "gone", SmallFleetFixture.row("inventory.berlin", "machine/fleet/cp", null));
        assertThat(begun.found).isEmpty();
        other.admit("w1");
        assertThat(begun.found)
                .anyMatch(
                        violation -> violation.invariant() == AuditInvariant.CLUSTER
                                && violation
                                        .detail()
                                        .contains(
                                                "while control-plane machine [berlin/fleet/cp], which no longer has an inventory row"));
    }

    @Test
    void findsAMissingClusterSoakAfterAnIntent() {
        intents("\"clusterSoak\":\"5m\"");
        fleet.upgrade("w1");
        expect(AuditInvariant.CLUSTER, "soaks for 0 ms instead of 300000");
    }

    @Test
    void findsAnIntentsStartOutsideItsWindows() {
        utc();
        intents("\"windows\":[{\"date\":\"2001-01-01\",\"from\":\"00:00\",\"to\":\"06:00\",\"zone\":\"UTC\"}]");
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "its window is closed");
    }

    @Test
    void anAlwaysOpenWindowNeverCloses() {
        utc();
        intents("\"windows\":[{\"from\":\"00:00\",\"to\":\"00:00\",\"zone\":\"UTC\"}]");
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAStrictCampaignThatContinuesAfterAQuarantine() {
        testTopicRecords.decide("intent-changed", "", SmallFleetFixture.row("intents.berlin", OWNER, null));
        fleet.makeStrict();
        fleet.failOnce("w1", "unreachable");
        testTopicRecords.decide("machine-quarantined", "", fleet.ended("w1", 1, "quarantined"));
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.CLUSTER, "started in a cluster in which berlin/fleet/w1 is quarantined");
    }
}
