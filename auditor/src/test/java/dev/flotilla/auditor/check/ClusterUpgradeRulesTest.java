package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the rules about clusters whose machines Cluster API updates in place. */
class ClusterUpgradeRulesTest {
    private static final String OLD = "v1.32.4";
    private static final String RELEASE = "version=v1.33.2";
    private static final String HASH = "spec=sha256:" + "a".repeat(64);
    private static final String TASK = ",\"task\":{\"name\":\"t\",\"uid\":\"t-uid\"}";
    private static final String W1 = "machine/fleet/w1";
    private static final String PROVIDERS =
            ",\"providers\":[{\"provider\":\"node-upgrade\",\"template\":{\"apiVersion\":\"flotilla.dev/v1alpha1\","
                    + "\"kind\":\"NodeUpgradeTemplate\",\"name\":\"kubeadm\"}}]";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    @BeforeEach
    void clusterIsUpdatedInPlace() {
        fleet.upgrade("cp");
        fleet.policy("\"caps\":{\"inFlight\":9}" + PROVIDERS);
        fleet.setTarget(RELEASE);
        fleet.useNodeUpgrades();
        fleet.addToSpec("\"clusterApi\":{}");
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.33.2"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", OLD));
        cluster("");
    }

    private void cluster(String problem) {
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.clusterUpdatedInPlace(OLD, problem));
    }

    private void open(String from) {
        testTopicRecords.decide("cluster-upgrade-opened", "", fleet.clusterUpgrade(from));
    }

    private void request() {
        testTopicRecords.decide("intent-changed", "", fleet.intent(W1, "u-w1", RELEASE, TASK));
    }

    /** Cluster API asks with a task that names a hash. */
    private void requestHash() {
        testTopicRecords.decide(
                "intent-changed", "", fleet.intent(W1, "u-w1", HASH, ",\"expectedVersion\":\"v1.33.2\"" + TASK));
    }

    @Test
    void acceptsWhatClusterApiAsksForAsTheTargetOfACampaignsAttempt() {
        open(OLD);
        requestHash();
        fleet.setTarget(HASH);
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsATargetThatNobodyAsksFor() {
        open(OLD);
        request();
        fleet.setTarget(HASH);
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "w1 started to " + HASH + ", but its campaign's target is " + RELEASE);
    }

    @Test
    void findsATaskThatCountsAsFulfilledWithoutAnAttempt() {
        open(OLD);
        requestHash();
        fleet.startForIntent(W1);
        testTopicRecords.decide("order-processed", "", fleet.ended("w1", 0, "succeeded"));
        expect(AuditInvariant.PROOF, "which made no attempt");
    }

    private void expect(AuditInvariant invariant, String words) {
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(invariant);
    }

    @Test
    void acceptsAMachineThatClusterApiHasAskedForInAnOpenCluster() {
        open(OLD);
        request();
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsAMachineThatClusterApiHasNotAskedFor() {
        open(OLD);
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "w1 started before its campaign has opened the cluster and Cluster API has asked");
    }

    @Test
    void findsAMachineInAClusterThatIsNotOpen() {
        request();
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "w1 started before its campaign has opened the cluster and Cluster API has asked");
    }

    @Test
    void findsAMachineThatItsTaskStartsInAnOpenCluster() {
        open(OLD);
        request();
        fleet.startForIntent(W1);
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "w1 started for its intent, and not for the campaign");
    }

    @Test
    void findsAMachineThatItsTaskStartsInAnOpenClusterThatShowsNoFieldsAnyMore() {
        open(OLD);
        request();
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.cluster(1));
        fleet.startForIntent(W1);
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "w1 started for its intent, and not for the campaign");
    }

    @Test
    void findsAClusterThatIsOpenedInAFrozenFleet() {
        fleet.policy("\"caps\":{\"inFlight\":9},\"freeze\":{\"frozen\":true}" + PROVIDERS);
        open(OLD);
        expect(AuditInvariant.STOP, "was opened while its site is frozen");
    }

    @Test
    void findsAClusterThatIsOpenedForAPausedCampaign() {
        testTopicRecords.decide("campaign-paused", "", fleet.campaign("paused", 9));
        open(OLD);
        expect(AuditInvariant.STOP, "was opened for a campaign that does not run");
    }

    @Test
    void findsAChangeThatReplacesMachines() {
        cluster(",\"problem\":\"its maxSurge is 1\"");
        open(OLD);
        expect(AuditInvariant.GATES, "although Cluster API would replace machines of shop");
    }

    @Test
    void findsAClusterThatIsOpenedAboveTheCap() {
        fleet.policy("\"caps\":{\"inFlight\":1}" + PROVIDERS);
        fleet.admit("cp");
        testTopicRecords.found.clear();
        open(OLD);
        expect(
                AuditInvariant.CAPS,
                "was opened as number 2 of machines in flight and open clusters of the fleet, but the cap is 1");
    }

    @Test
    void findsAChangeOfAnotherValue() {
        open("v1.32.3");
        expect(AuditInvariant.GATES, "from v1.32.3, which is not the version of shop");
    }
}
