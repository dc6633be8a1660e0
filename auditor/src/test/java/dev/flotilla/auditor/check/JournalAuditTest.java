package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** What a sound orchestrator writes passes; each thing that a broken one could write is found. */
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
    void findsNothingWrongWithAWholeRollout() {
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
    void findsAStartBeyondTheCapOfItsDomain() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.asks("\"caps\":{\"domains\":[{\"label\":\"zone\",\"inFlight\":1}]}");
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.CAPS, "berlin/fleet/w2 started as number 2 in flight of zone z, but the cap is 1");
    }

    @Test
    void findsAStartOfAKindThatIsClosed() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.asks("\"cohortCircuitBreaker\":{\"failures\":1,\"percent\":50}");
        fleet.upgrade("cp");
        fleet.fails("w1", "unreachable");
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
    void findsAStartOfAnOlderVersionThanIsShownUnlessThatIsAllowed() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("cp", "v1.33.4"));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", "v1.33.4"));
        fleet.allowsDowngrade();
        fleet.upgrade("cp");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.asks("\"weight\":100");
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
    void findsTwoAtOnceWhereNobodyKnowsWhichVersionTheTargetIs() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);
        fleet.expectsNoVersion();
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
    void countsTheUnavailableWithThoseInFlight() {
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
        fleet.fails("w1", "unreachable");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        expect(AuditInvariant.BUDGET, "1 machines of campaign c have failed and 1.0 may fail, but the budget is 1");
    }

    @Test
    void findsAStartThatTheBudgetForbidsWhenTheMachineThatFailedIsDeleted() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 1);
        fleet.upgrade("cp");
        fleet.fails("w1", "unreachable");
        testTopicRecords.decide(
                "inventory-changed",
                "",
                SmallFleetFixture.row("inventory.berlin", "machine/fleet/w1", null),
                SmallFleetFixture.row("status.berlin", "machine/fleet/w1", null));
        fleet.admit("w2");
        expect(AuditInvariant.BUDGET, "1 machines of campaign c have failed and 1.0 may fail, but the budget is 1");
    }

    @Test
    void findsAStartOfAMachineThatIsNotThere() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.admit("w9");
        expect(AuditInvariant.GATES, "a machine without an inventory row");
    }

    @Test
    void findsNothingWrongWithAnOwnersIntentWhoseMachinesNameIt() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleetFixture.TARGET));
        fleet.drivenBy(owner);
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("cp");
        expect(AuditInvariant.GATES, "berlin/fleet/cp started: a machine for intent of berlin " + owner);
    }

    @Test
    void findsAnOwnersIntentThatGoesBeforeTheMachinesOwn() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleetFixture.TARGET));
        fleet.drivenBy(owner);
        testTopicRecords.decide("intent-changed", "", fleet.intent("machine/fleet/w1", "another", "revision=7"));
        fleet.upgrade("w1");
        assertThat(testTopicRecords.found).isEmpty();
        testTopicRecords.decide("intent-changed", "", fleet.intent("machine/fleet/w2", "u-w2", "revision=7"));
        fleet.admit("w2");
        expect(AuditInvariant.GATES, "its first intent is UpgradeIntent[site=berlin, object=machine/fleet/w2");
    }

    @Test
    void takesALocalPathForAnIntentOnlyBelowADirectoryThatThePolicyNames() {
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
    void findsAnOwnersIntentThatIsFollowedToAnotherTarget() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        String owner = "owner/MachineDeployment/fleet/shop";
        testTopicRecords.decide("intent-changed", "", fleet.intent(owner, "o", "revision=7"));
        fleet.drivenBy(owner);
        fleet.admit("w1");
        expect(
                AuditInvariant.GATES,
                "to revision=3501, but its first intent is UpgradeIntent[site=berlin, object=" + owner);
    }

    @Test
    void findsACampaignThatGoesBeforeAnIntent() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        testTopicRecords.decide("intent-changed", "", fleet.intent("cluster/fleet/shop", "c", "revision=7"));
        fleet.admit("w1");
        expect(AuditInvariant.GATES, "a machine for campaign c");
    }

    @Test
    void findsASuccessThatNoWorkerHasTold() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.success("cp", number);
        expect(AuditInvariant.PROOF, "requires the report \"succeeded\", which no worker has written");
    }

    @Test
    void findsASuccessOnAnotherRevision() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.says("cp", number, SmallFleetFixture.succeeded("upgraded", 3000));
        fleet.success("cp", number);
        expect(AuditInvariant.PROOF, "the node shows revision 3000, but the target is revision=3501");
    }

    @Test
    void findsASecondLicenceAfterACallOfUnknownOutcome() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "verifying");
        fleet.steppedOnly("cp", number, "starting");
        expect(AuditInvariant.ONE_CALL, "gets another call permit after a call that may have been made");
    }

    @Test
    void findsTwoChangesOfOneAttempt() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.says("cp", number, "{\"type\":\"step-reached\",\"step\":\"verifying\",\"changeId\":\"8\"}");
        expect(AuditInvariant.ONE_CALL, "has two changes on its node, 7 and 8");
    }

    @Test
    void findsACallWithoutALicence() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.steps("cp", fleet.admit("cp"), "preflight", "refreshing");
        expect(AuditInvariant.ONE_CALL, "was called without a call permit");
    }

    @Test
    void findsACallAfterItsCommandsEnd() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.seconds(910);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"type\":\"step-reached\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(AuditInvariant.STOP, "ms after the end of its command lease");
    }

    @Test
    void findsACallAfterItsCommandWasTakenBack() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.decide("order-applied", "", freeze());
        cancel(fleet, number);
        testTopicRecords.seconds(3);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"type\":\"step-reached\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(AuditInvariant.STOP, "ms after its command lease was revoked");
    }

    @Test
    void allowsALicenceThatWasNotUsedAfterItsCommandWasTakenBack() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        testTopicRecords.decide("order-applied", "", freeze());
        cancel(fleet, number);
        testTopicRecords.seconds(3);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"type\":\"cancelled\"}");
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
    void findsACancelThatItsWorkerIsNotTold() {
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
    void demandsNothingOfAttemptsInASiteThatIsSetAside() {
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
    void findsALicenceThatStaysOutWhileItIsStopped() {
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
    void findsACommandWithoutEnd() {
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
    void findsAnAttemptThatIsLost() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.admit("cp");
        testTopicRecords.decide("inventory-changed", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        expect(AuditInvariant.NOTHING_LOST, "which does not end it");
    }

    @Test
    void findsAnAttemptThatIsUnknownForEver() {
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
    void findsACampaignThatIsCompleteTooEarly() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        testTopicRecords.decide("campaign-completed", "", fleet.campaign("completed", 5));
        expect(AuditInvariant.NOTHING_LOST, "completed while 3 of its machines have not ended");
    }

    @Test
    void tellsWhoWaitsWhenTheRunIsOver() {
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
