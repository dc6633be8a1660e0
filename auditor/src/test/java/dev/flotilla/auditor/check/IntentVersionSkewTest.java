package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the version rules for starts of intents. */
class IntentVersionSkewTest {
    private static final String OWNER = "owner/MachineDeployment/fleet/shop";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    private void asked(String option, String controlPlane, String workers, String rule) {
        fleet.upgrade("cp");
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":3" + rule + "}");
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", controlPlane));
        for (String name : new String[] {"w1", "w2", "w3"}) {
            testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine(name, workers));
        }
        testTopicRecords.decide("intent-changed", "", fleet.intent(OWNER, "o", option));
        fleet.setTarget(option);
        fleet.startForIntent(OWNER);
    }

    private void expect(String words) {
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).invariant())
                .as("first of " + testTopicRecords.found)
                .isEqualTo(AuditInvariant.GATES);
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
    }

    @Test
    void findsAWorkerUpgradedBeforeItsControlPlane() {
        asked("channel=1.34-classic/stable", "v1.33.2", "v1.33.2", "");
        fleet.admit("w1");
        expect("started for version 1.34-classic/stable, but berlin/fleet/cp shows v1.33.2");
    }

    @Test
    void findsAStartOverAMinorVersion() {
        asked("channel=1.34-classic/stable", "v1.34.0", "v1.32.2", "");
        fleet.admit("w1");
        expect("started for version 1.34-classic/stable, but it shows v1.32.2");
    }

    @Test
    void findsADowngradeWithoutThePolicysPermission() {
        asked("channel=1.33-classic/stable", "v1.34.0", "v1.34.0", "");
        fleet.admit("w1");
        expect("started for version 1.33-classic/stable, but it shows v1.34.0");
    }

    @Test
    void acceptsADowngradeWithThePolicysPermission() {
        asked("channel=1.33-classic/stable", "v1.34.0", "v1.34.0", ",\"allowDowngrade\":true");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsTwoMachinesOfASiteWithAnUnknownTargetVersion() {
        asked("channel=latest/edge", "v1.33.2", "v1.33.2", "");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect("started for the same target as another machine of its site, but the version of channel=latest/edge is"
                + " not known");
    }

    @Test
    void acceptsUnknownVersionsWithThePolicysPermission() {
        asked("channel=latest/edge", "v1.33.2", "v1.33.2", ",\"allowUnknownVersion\":true");
        fleet.admit("w1");
        fleet.admit("w2");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAnIntentThatThePolicyDoesNotAllow() {
        asked("channel=1.34-classic/edge", "v1.34.0", "v1.33.2", ",\"targets\":[\"channel=1.3?-classic/stable\"]");
        fleet.admit("w1");
        expect("but it has no intent");
    }
}
