package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** Tests the rules about what upgrades a machine. */
class ProviderRulesTest {
    private static final String OWNER = "owner/MachineDeployment/fleet/shop";
    private static final String NODE_UPGRADES =
            ",\"providers\":[{\"sites\":[\"oslo\"],\"provider\":\"none\"},{\"provider\":\"node-upgrade\",\"template\":"
                    + "{\"apiVersion\":\"flotilla.dev/v1alpha1\",\"kind\":\"NodeUpgradeTemplate\",\"name\":\"kubeadm\"}}]";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    private void policy(String providers) {
        fleet.policy("\"caps\":{\"inFlight\":9},\"intents\":{\"maxUnavailable\":3}" + providers);
    }

    private void asked(String option) {
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.34.2"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", "v1.33.2"));
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
    void findsACampaignThatStartsAMachineOfAnotherProvider() {
        policy(NODE_UPGRADES);
        fleet.admit("cp");
        expect("whose provider is NODE_UPGRADE, to " + SmallFleetFixture.TARGET);
    }

    @Test
    void findsAnIntentThatStartsAMachineOfAnotherProvider() {
        fleet.upgrade("cp");
        policy("");
        asked("version=v1.34.0");
        fleet.admit("w1");
        expect("whose provider is K8SD, to version=v1.34.0");
    }

    @Test
    void findsAWorkerWhoseTaskExpectsAVersionThatItsControlPlaneDoesNotHave() {
        fleet.upgrade("cp");
        policy(NODE_UPGRADES);
        startForTask("v1.35.0");
        expect("started for version v1.35.0, but");
    }

    @Test
    void acceptsAWorkerWhoseTaskExpectsTheVersionOfItsControlPlane() {
        fleet.upgrade("cp");
        policy(NODE_UPGRADES);
        startForTask("v1.34.0");
        assertThat(testTopicRecords.found).isEmpty();
    }

    private void startForTask(String version) {
        String hash = "spec=sha256:" + "4f".repeat(32);
        asked(hash);
        testTopicRecords.decide(
                "intent-changed", "", fleet.intent(OWNER, "o", hash, ",\"expectedVersion\":\"" + version + "\""));
        fleet.startForIntent(OWNER);
        fleet.admit("w1");
    }

    @Test
    void acceptsAVersionForAMachineThatThePolicySaysANodeUpgradeUpgrades() {
        fleet.upgrade("cp");
        policy(NODE_UPGRADES);
        asked("version=v1.34.0");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAVersionAheadOfTheControlPlane() {
        fleet.upgrade("cp");
        policy(NODE_UPGRADES);
        asked("version=v1.35.0");
        fleet.admit("w1");
        expect("started for version v1.35.0, but it shows v1.33.2");
    }

    @Test
    void aWorkerNeedNotWaitForAMemberThatDoesNotFollowItsIntent() {
        String whole = "cluster/fleet/shop";
        String labels = "\"labels\":{\"zone\":\"z\"";
        policy(NODE_UPGRADES.replace(
                "{\"sites\":[\"oslo\"],", "{\"machines\":{\"matchLabels\":{\"role\":\"member\"}},"));
        asked("version=v1.34.0");
        testTopicRecords.decide("intent-changed", "", fleet.intent(whole, "c", "version=v1.34.0"));
        fleet.startForIntent(whole);
        TopicRow member = SmallFleetFixture.machine("cp", "v1.34.2");
        testTopicRecords.decide(
                "inventory-changed",
                "",
                new TopicRow(
                        member.topic(),
                        member.key(),
                        String.valueOf(member.json()).replace(labels, labels + ",\"role\":\"member\"")));
        testTopicRecords.decide("intent-changed", "", new TopicRow("flotilla.intents.berlin", OWNER, null));
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }
}
