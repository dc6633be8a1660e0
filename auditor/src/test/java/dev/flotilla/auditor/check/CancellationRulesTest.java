package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that what may have called is cancelled only if its provider can abort it and nobody requests it any more. */
class CancellationRulesTest {
    private static final String OBJECT = "machine/fleet/w1";
    private static final String POLICY = "\"caps\":{\"inFlight\":9},\"providers\":[{\"provider\":\"node-upgrade\","
            + "\"template\":{\"apiVersion\":\"flotilla.dev/v1alpha1\",\"kind\":\"NodeUpgradeTemplate\",\"name\":\"k\"}}]";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    private void cancelAfterTheCall(long attempt) {
        String deadline = testTopicRecords.instant(3600);
        testTopicRecords.decide(
                "attempt-cancelling",
                "",
                fleet.attempt(
                        "w1",
                        attempt,
                        "\"type\":\"running\",\"step\":\"starting\",\"deadline\":\"" + deadline + "\"",
                        true),
                fleet.cancel("w1", attempt));
    }

    private long startForCampaign() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        fleet.reportSteps("w1", attempt, "starting");
        return attempt;
    }

    private long startNodeUpgradeForCampaign() {
        fleet.upgrade("cp");
        fleet.useNodeUpgrades();
        long attempt = fleet.admit("w1");
        fleet.reportSteps("w1", attempt, "starting");
        return attempt;
    }

    private long startNodeUpgradeForIntent() {
        fleet.upgrade("cp");
        fleet.policy(POLICY);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.34.2"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", "v1.33.2"));
        testTopicRecords.decide("intent-changed", "", fleet.intent(OBJECT, "u-w1", "version=v1.34.0"));
        fleet.useNodeUpgrades();
        fleet.setTarget("version=v1.34.0");
        fleet.startForIntent(OBJECT);
        long attempt = fleet.admit("w1");
        fleet.reportSteps("w1", attempt, "starting");
        return attempt;
    }

    private void expect(String words) {
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(AuditInvariant.STOP);
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
    }

    @Test
    void findsACancelledCallOfK8sd() {
        long attempt = startForCampaign();
        testTopicRecords.decide("campaign-aborted", "", fleet.campaign("aborted", 5));
        cancelAfterTheCall(attempt);
        expect("is cancelled although it may have called, and its provider cannot abort");
    }

    @Test
    void acceptsTheAbortOfANodeUpgradeWhoseCampaignIsOver() {
        long attempt = startNodeUpgradeForCampaign();
        testTopicRecords.decide("campaign-aborted", "", fleet.campaign("aborted", 5));
        cancelAfterTheCall(attempt);
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsANodeUpgradeThatAPauseAborts() {
        long attempt = startNodeUpgradeForCampaign();
        testTopicRecords.decide("campaign-paused", "", fleet.campaign("paused", 5));
        cancelAfterTheCall(attempt);
        expect("still requests it: a pause or a freeze awaits its end");
    }

    @Test
    void acceptsTheAbortOfANodeUpgradeWhoseIntentIsGone() {
        long attempt = startNodeUpgradeForIntent();
        testTopicRecords.decide("intent-changed", "", SmallFleetFixture.row("intents.berlin", OBJECT, null));
        cancelAfterTheCall(attempt);
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsTheAbortOfANodeUpgradeWhoseIntentHasAnotherTarget() {
        long attempt = startNodeUpgradeForIntent();
        testTopicRecords.decide("intent-changed", "", fleet.intent(OBJECT, "u-w1", "version=v1.34.1"));
        cancelAfterTheCall(attempt);
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsTheAbortOfANodeUpgradeWhoseMachineIsBeingDeleted() {
        long attempt = startNodeUpgradeForIntent();
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.deleting("w1", "v1.33.2"));
        cancelAfterTheCall(attempt);
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsTheAbortOfANodeUpgradeThatItsIntentStillRequests() {
        long attempt = startNodeUpgradeForIntent();
        cancelAfterTheCall(attempt);
        expect("still requests it");
    }

    @Test
    void findsASecondNodeUpgradeOfAnAttempt() {
        long attempt = startNodeUpgradeForIntent();
        writeCall(attempt, "w1-f99f34de-" + attempt + "-again");
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(AuditInvariant.ONE_CALL);
        assertThat(testTopicRecords.found.get(0).detail())
                .endsWith("-again, but its only one is w1-f99f34de-" + attempt);
    }

    @Test
    void findsTheNodeUpgradeOfAnotherAttempt() {
        long attempt = startNodeUpgradeForIntent();
        writeCall(attempt, "w1-f99f34de-" + (attempt - 1));
        assertThat(testTopicRecords.found)
                .extracting(InvariantViolation::invariant)
                .contains(AuditInvariant.ONE_CALL);
    }

    @Test
    void acceptsTheNodeUpgradeThatIsNamedAfterTheAttempt() {
        long attempt = startNodeUpgradeForIntent();
        writeCall(attempt, "w1-f99f34de-" + attempt);
        assertThat(testTopicRecords.found).isEmpty();
    }

    private void writeCall(long attempt, String nodeUpgrade) {
        fleet.writeReport(
                "w1",
                attempt,
                "{\"type\":\"step-reached\",\"step\":\"refreshing\",\"changeId\":\"" + nodeUpgrade + "\"}");
        testTopicRecords.over();
    }
}
