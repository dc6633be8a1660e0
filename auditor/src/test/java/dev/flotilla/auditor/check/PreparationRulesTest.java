package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the rules about preparations. */
class PreparationRulesTest {
    private static final String RELEASE = "version=v1.33.2";
    private static final String PREPARE = "\"prepare\":{\"before\":\"1h\"}";
    private static final String PROVIDERS =
            ",\"providers\":[{\"provider\":\"node-upgrade\",\"template\":{\"apiVersion\":\"flotilla.dev/v1alpha1\","
                    + "\"kind\":\"NodeUpgradeTemplate\",\"name\":\"kubeadm\"}}]";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    @BeforeEach
    void campaignPrepares() {
        fleet.policy("\"caps\":{\"inFlight\":9,\"sitePrefetch\":2}" + PROVIDERS);
        fleet.setTarget(RELEASE);
        fleet.addToSpec(PREPARE);
    }

    private void expect(AuditInvariant invariant, String words) {
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(invariant);
    }

    private void expectNone() {
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsAPreparationAndItsUpgrade() {
        long id = fleet.prepare("cp");
        fleet.endPreparation("cp", id, "prepared");
        fleet.admitPrepared("cp", id);
        expectNone();
    }

    @Test
    void findsMorePreparationsThanTheSitesCap() {
        fleet.prepare("w1");
        fleet.prepare("w2");
        expectNone();
        fleet.prepare("w3");
        expect(AuditInvariant.CAPS, "number 3 that prepares in site berlin, but the cap is 2");
    }

    @Test
    void findsAPreparationInAFrozenFleet() {
        fleet.policy("\"caps\":{\"inFlight\":9},\"freeze\":{\"frozen\":true}" + PROVIDERS);
        fleet.prepare("w1");
        expect(AuditInvariant.STOP, "is prepared while its site is frozen");
    }

    @Test
    void findsAPreparationOfAPausedCampaign() {
        fleet.pause(PREPARE);
        fleet.prepare("w1");
        expect(AuditInvariant.STOP, "is prepared while campaign c is paused");
    }

    @Test
    void findsAPreparationThatNoCampaignAskedFor() {
        fleet.addToSpec("\"priority\":50");
        fleet.prepare("w1");
        expect(AuditInvariant.GATES, "which did not ask for it");
    }

    @Test
    void findsASecondPreparation() {
        long id = fleet.prepare("w1");
        fleet.endPreparation("w1", id, "prepared");
        fleet.prepare("w1");
        expect(AuditInvariant.GATES, "is prepared again for " + RELEASE);
    }

    @Test
    void findsAPreparationBesideAnotherOne() {
        fleet.prepare("w1");
        fleet.prepare("w1");
        expect(AuditInvariant.GATES, "is prepared while it prepares");
    }

    @Test
    void findsAnUpgradeBesideAPreparation() {
        long id = fleet.prepare("cp");
        fleet.admitBeside("cp", id);
        expect(AuditInvariant.GATES, "prepares while its attempt is open");
    }

    @Test
    void findsAnUpgradeThatIsNotPrepared() {
        long id = fleet.prepare("cp");
        fleet.endPreparation("cp", id, "failed");
        fleet.admitPrepared("cp", id);
        expect(AuditInvariant.GATES, "counts as prepared, but preparation " + id + " has not succeeded");
    }

    @Test
    void findsAPreparationThatCalls() {
        long id = fleet.prepare("w1");
        fleet.writeStepReport("w1", id, "starting");
        fleet.endPreparation("w1", id, "prepared");
        expect(AuditInvariant.ONE_CALL, "only prepares, but its worker reports step-reached starting");
    }

    @Test
    void findsAFailedPreparationThatCountsAsAFailure() {
        long id = fleet.prepare("w1");
        testTopicRecords.decide("preparation-failed", "", fleet.failed("w1", id, "unreachable"), fleet.noCommand("w1"));
        expect(AuditInvariant.GATES, "has other attempts or failures since its preparation");
    }

    @Test
    void findsAPreparationByK8sd() {
        fleet.policy("\"caps\":{\"inFlight\":9}");
        fleet.prepare("w1");
        expect(AuditInvariant.GATES, "is prepared by provider K8SD");
    }
}
