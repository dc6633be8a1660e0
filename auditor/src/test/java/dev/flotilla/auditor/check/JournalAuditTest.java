package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** Tests that the records of a correct orchestrator pass, and that the auditor finds each violation of a broken one. */
class JournalAuditTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();

    private void expect(AuditInvariant auditInvariant, String words) {
        testTopicRecords.over();
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).invariant())
                .as("first of " + testTopicRecords.found)
                .isEqualTo(auditInvariant);
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
    }

    private void expectNothing() {
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsAWholeRollout() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        assertThat(testTopicRecords.audit.unfinishedMachines(10)).isEmpty();
        testTopicRecords.decide("wave-closed", "", fleet.wave(true));
        testTopicRecords.decide("campaign-completed", "", fleet.campaign("completed", 5));
        expectNothing();
        assertThat(testTopicRecords.audit.isComplete()).isTrue();
        assertThat(testTopicRecords.audit.maxInFlight()).isEqualTo(1);
        assertThat(testTopicRecords.audit.findings().unverified()).isEmpty();
        for (AuditInvariant auditInvariant : AuditInvariant.values()) {
            assertThat(testTopicRecords.audit.findings().checks(auditInvariant))
                    .as("checks of " + auditInvariant.label())
                    .isPositive();
        }
    }

    @Test
    void findsACapThatIsOffByOne() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "\"50%\"", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        fleet.admit("w2");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.policy("1", false);
        assertThat(testTopicRecords.found)
                .as("a lowered cap interrupts nothing")
                .isEmpty();
        fleet.admit("w3");
        expect(AuditInvariant.CAPS, "berlin/fleet/w3 started as number 3 in flight of the fleet, but the cap is 1");
    }

    @Test
    void findsAStartBeyondItsTopologyDomainCap() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.addToSpec("\"caps\":{\"domains\":[{\"label\":\"zone\",\"inFlight\":1}]}");
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.CAPS, "berlin/fleet/w2 started as number 2 in flight of zone z, but the cap is 1");
    }

    @Test
    void findsAStartInAClosedCohort() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.addToSpec("\"cohortCircuitBreaker\":{\"failures\":1,\"percent\":50}");
        fleet.upgrade("cp");
        fleet.failOnce("w1", "unreachable");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.GATES, "berlin/fleet/w2 started, but cohort site berlin is closed");
    }

    @Test
    void findsAStartOverTwoMinorVersions() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.31.4"));
        fleet.admit("cp");
        expect(AuditInvariant.GATES, "berlin/fleet/cp started for version 1.33.2, but it shows v1.31.4");
    }

    @Test
    void findsADowngradeUnlessItIsAllowed() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.33.4"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", "v1.33.4"));
        fleet.allowDowngrade();
        fleet.upgrade("cp");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.addToSpec("\"weight\":100");
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "berlin/fleet/w1 started for version 1.33.2, but it shows v1.33.4");
    }

    @Test
    void findsAControlPlaneThatLeavesItsWorkersTooFarBehind() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.32.9"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w2", "v1.29.1"));
        fleet.admit("cp");
        expect(AuditInvariant.GATES, "berlin/fleet/cp started for version 1.33.2, but berlin/fleet/w2 shows v1.29.1");
    }

    @Test
    void findsTwoStartsForAnUnresolvedTarget() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.removeExpectedVersion();
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(
                AuditInvariant.GATES,
                "berlin/fleet/w2 started beside another machine, but no machine has shown which version");
    }

    @Test
    void findsAWorkerBeforeItsControlPlane() {
        SmallFleetFixture.in(testTopicRecords).admit("w1");
        expect(AuditInvariant.CLUSTER, "worker berlin/fleet/w1 started before control-plane machine berlin/fleet/cp");
    }

    @Test
    void countsUnavailableMachinesWithThoseInFlight() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.upgrade("cp");
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w3", false));
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(
                AuditInvariant.CLUSTER,
                "with it 3 workers of its cluster are unavailable or in flight; at most 2 may be");
    }

    @Test
    void findsAStartUnderAFreeze() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        testTopicRecords.decide("order-applied", "", freeze());
        fleet.admit("cp");
        expect(AuditInvariant.STOP, "berlin/fleet/cp started while its site is frozen");
    }

    private static TopicRow freeze() {
        return SmallFleetFixture.row(
                "freezes",
                "fleet/freeze",
                "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"requestedBy\":\"ada\",\"reason\":\"\",\"verb\":\"freeze\"}");
    }

    @Test
    void findsAStartInAPausedCampaign() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        testTopicRecords.decide("campaign-paused", "", fleet.campaign("paused", 5));
        fleet.admit("cp");
        expect(AuditInvariant.STOP, "while campaign c is paused");
    }

    @Test
    void findsAStartThatTheBudgetForbids() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 1);
        fleet.upgrade("cp");
        fleet.failOnce("w1", "unreachable");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.BUDGET, "1 machines of campaign c have failed and 1.0 may fail, but the budget is 1");
    }

    @Test
    void findsAStartThatTheBudgetForbidsWhenTheMachineThatFailedIsDeleted() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 1);
        fleet.upgrade("cp");
        fleet.failOnce("w1", "unreachable");
        testTopicRecords.decide(
                "inventory-changed",
                "",
                SmallFleetFixture.row("inventory.berlin", "machine/fleet/w1", null),
                SmallFleetFixture.row("status.berlin", "machine/fleet/w1", null));
        fleet.admit("w2");
        expect(AuditInvariant.BUDGET, "1 machines of campaign c have failed and 1.0 may fail, but the budget is 1");
    }

    @Test
    void findsAStartOfAMachineWithoutARow() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.admit("w9");
        expect(AuditInvariant.GATES, "a machine without an inventory row");
    }

    @Test
    void acceptsAnOwnersIntentForItsMachines() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleetFixture.TARGET));
        fleet.startForIntent(owner);
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("cp");
        expect(AuditInvariant.GATES, "berlin/fleet/cp started: a machine for intent of berlin " + owner);
    }

    @Test
    void findsAnOwnersIntentThatPrecedesTheMachines() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleetFixture.TARGET));
        fleet.startForIntent(owner);
        testTopicRecords.decide("intent-changed", "", fleet.intent("machine/fleet/w1", "another", "revision=7"));
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
        testTopicRecords.decide("intent-changed", "", fleet.intent("machine/fleet/w2", "u-w2", "revision=7"));
        fleet.admit("w2");
        expect(AuditInvariant.GATES, "its first intent is UpgradeIntent[site=berlin, object=machine/fleet/w2");
    }

    @Test
    void acceptsALocalPathOnlyBelowADirectoryOfThePolicy() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        testTopicRecords.decide(
                "intent-changed", "", fleet.intent("cluster/fleet/shop", "c", "localPath=/opt/snaps/k8s.snap"));
        fleet.localPaths("/opt/snap");
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.localPaths("/opt/snaps");
        fleet.admit("w2");
        expect(AuditInvariant.GATES, "its first intent is UpgradeIntent[site=berlin, object=cluster/fleet/shop");
    }

    @Test
    void findsAStartForAnotherTargetThanTheOwnersIntent() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", "revision=7"));
        fleet.startForIntent(owner);
        fleet.admit("w1");
        expect(
                AuditInvariant.GATES,
                "to revision=3501, but its first intent is UpgradeIntent[site=berlin, object=" + owner);
    }

    @Test
    void findsACampaignStartBeforeAnIntent() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        testTopicRecords.decide("intent-changed", "", fleet.intent("cluster/fleet/shop", "c", "revision=7"));
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "a machine for campaign c");
    }

    @Test
    void findsASuccessWithoutAReport() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "starting", "refreshing");
        fleet.decideSuccess("cp", number);
        expect(AuditInvariant.PROOF, "requires the report \"succeeded\", which no worker has written");
    }

    @Test
    void findsASuccessOnAnotherRevision() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "starting", "refreshing");
        fleet.writeReport("cp", number, SmallFleetFixture.succeeded("upgraded", 3000));
        fleet.decideSuccess("cp", number);
        expect(AuditInvariant.PROOF, "the node shows revision 3000, but the target is revision=3501");
    }

    @Test
    void findsASecondCallPermitAfterAnUnknownOutcome() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "starting", "verifying");
        fleet.writeStepReport("cp", number, "starting");
        expect(AuditInvariant.ONE_CALL, "gets another call permit after a call that may have been made");
    }

    @Test
    void findsTwoChangesOfOneAttempt() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "starting", "refreshing");
        fleet.writeReport("cp", number, "{\"type\":\"step-reached\",\"step\":\"verifying\",\"changeId\":\"8\"}");
        expect(AuditInvariant.ONE_CALL, "has two changes on its node, 7 and 8");
    }

    @Test
    void findsACallWithoutACallPermit() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.reportSteps("cp", fleet.admit("cp"), "preflight", "refreshing");
        expect(AuditInvariant.ONE_CALL, "was called without a call permit");
    }

    @Test
    void findsACallAfterItsLeaseExpired() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.seconds(910);
        fleet.writeStepReport("cp", number, "starting");
        fleet.writeReport("cp", number, "{\"type\":\"step-reached\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(AuditInvariant.STOP, "ms after the end of its command lease");
    }

    @Test
    void findsACallAfterItsLeaseWasRevoked() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.decide("order-applied", "", freeze());
        cancel(fleet, number);
        testTopicRecords.seconds(3);
        fleet.writeStepReport("cp", number, "starting");
        fleet.writeReport("cp", number, "{\"type\":\"step-reached\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(AuditInvariant.STOP, "ms after its command lease was revoked");
    }

    @Test
    void allowsAnUnusedCallPermitAfterARevocation() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.decide("order-applied", "", freeze());
        cancel(fleet, number);
        testTopicRecords.seconds(3);
        fleet.writeStepReport("cp", number, "starting");
        fleet.writeReport("cp", number, "{\"type\":\"cancelled\"}");
        testTopicRecords.decide("attempt-cancelled", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        expectNothing();
    }

    private void cancel(SmallFleetFixture fleet, long number) {
        testTopicRecords.decide(
                "attempt-cancelling",
                "freeze",
                fleet.attempt(
                        "cp",
                        number,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                        true),
                fleet.cancel("cp", number));
    }

    @Test
    void findsACancellationWithoutACommand() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.decide(
                "attempt-cancelling",
                "freeze",
                fleet.attempt(
                        "cp",
                        number,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                        true));
        expect(AuditInvariant.STOP, "is cancelled, but its worker gets no command");
    }

    @Test
    void ignoresAttemptsOfASuspendedSite() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.admit("cp");
        TopicRow aside = new TopicRow(
                "flotilla.head",
                "berlin",
                "{\"site\":\"berlin\",\"inFlight\":1,\"offsets\":{},\"unreachableSince\":\""
                        + testTopicRecords.instant() + "\"}");
        testTopicRecords.decide("leader-elected", "");
        testTopicRecords.journal("site-changed", "unreachable: its topics are gone", aside);
        testTopicRecords.journal("order-applied", "", freeze());
        testTopicRecords.seconds(4000);
        testTopicRecords.journal("wave-size-fixed", "");
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void findsALeaseThatIsNotRevoked() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.admit("cp");
        testTopicRecords.decide("order-applied", "", freeze());
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", false));
        assertThat(testTopicRecords.found).isEmpty();
        testTopicRecords.seconds(40);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", true));
        expect(AuditInvariant.STOP, "may still call although it is stopped, and the orchestrator decides other work");
    }

    @Test
    void findsATooLongLease() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = testTopicRecords.next();
        testTopicRecords.decide(
                "attempt-admitted",
                "",
                fleet.attempt(
                        "cp",
                        number,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                        false),
                fleet.upgrade("cp", number, 86_400));
        expect(AuditInvariant.STOP, "longer than any command lease");
    }

    @Test
    void findsALostAttempt() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.admit("cp");
        testTopicRecords.decide("inventory-changed", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        expect(AuditInvariant.NOTHING_LOST, "which does not end it");
    }

    @Test
    void findsAnAttemptThatStaysUnknown() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.upgrade("cp");
        long number = fleet.admit("w1");
        testTopicRecords.decide(
                "attempt-unknown",
                "",
                fleet.attempt(
                        "w1", number, "\"type\":\"unknown\",\"since\":\"" + testTopicRecords.instant() + "\"", false));
        testTopicRecords.seconds(3 * 3600);
        fleet.admit("w2");
        expect(AuditInvariant.NOTHING_LOST, "is unknown past its deadline");
    }

    @Test
    void findsACampaignCompletedTooEarly() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        testTopicRecords.decide("campaign-completed", "", fleet.campaign("completed", 5));
        expect(AuditInvariant.NOTHING_LOST, "completed while 3 of its machines have not ended");
    }

    @Test
    void reportsUnfinishedMachinesAtTheEndOfTheRun() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(testTopicRecords.audit.unfinishedMachines(10))
                .containsExactly(
                        "berlin/fleet/w1 has an open attempt",
                        "berlin/fleet/w2 waits in campaign c, which is running",
                        "berlin/fleet/w3 waits in campaign c, which is running");
        testTopicRecords.audit.endRun();
        expect(AuditInvariant.NOTHING_LOST, "berlin/fleet/w1 has an open attempt, but the run is over");
    }
}
