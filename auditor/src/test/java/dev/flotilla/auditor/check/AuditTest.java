package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.Story.Row;
import org.junit.jupiter.api.Test;

/** What a sound orchestrator writes passes; each thing that a broken one could write is found. */
class AuditTest {
    private final Story story = Story.watched();

    private void expect(Invariant invariant, String words) {
        story.over();
        assertThat(story.found).as("violations").isNotEmpty();
        assertThat(story.found.get(0).invariant()).as("first of " + story.found).isEqualTo(invariant);
        assertThat(story.found.get(0).detail()).contains(words);
    }

    private void expectNothing() {
        story.over();
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsNothingWrongWithAWholeRollout() {
        SmallFleet fleet = SmallFleet.in(story);
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        assertThat(story.audit.unfinished(10)).isEmpty();
        story.decide("wave-closed", "", fleet.wave(true));
        story.decide("campaign-completed", "", fleet.campaign("completed", 5));
        expectNothing();
        assertThat(story.audit.isSettled()).isTrue();
        assertThat(story.audit.maxInFlight()).isEqualTo(1);
        assertThat(story.audit.findings().unverified()).isEmpty();
        for (Invariant invariant : Invariant.values()) {
            assertThat(story.audit.findings().checks(invariant))
                    .as("checks of " + invariant.label())
                    .isPositive();
        }
    }

    @Test
    void findsACapThatIsOffByOne() {
        SmallFleet fleet = SmallFleet.in(story, "\"50%\"", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        fleet.admit("w2");
        assertThat(story.found).isEmpty();
        fleet.policy("1", false);
        assertThat(story.found).as("a lowered cap interrupts nothing").isEmpty();
        fleet.admit("w3");
        expect(Invariant.CAPS, "berlin/fleet/w3 started as number 3 in flight of the fleet, where the cap is 1");
    }

    @Test
    void findsAStartBeyondTheCapOfItsDomain() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.asks("\"caps\":{\"domains\":[{\"label\":\"zone\",\"inFlight\":1}]}");
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.CAPS, "berlin/fleet/w2 started as number 2 in flight of zone z, where the cap is 1");
    }

    @Test
    void findsAStartOfAKindThatIsClosed() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.asks("\"cohortBreaker\":{\"failures\":1,\"percent\":50}");
        fleet.upgrade("cp");
        fleet.fails("w1", "unreachable");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.GATES, "berlin/fleet/w2 started, and site berlin is closed");
    }

    @Test
    void findsAStartOverTwoMinorVersions() {
        SmallFleet fleet = SmallFleet.in(story);
        story.decide("inventory-changed", "", SmallFleet.machine("cp", "v1.31.4"));
        fleet.admit("cp");
        expect(Invariant.GATES, "berlin/fleet/cp started for version 1.33.2, and it shows v1.31.4");
    }

    @Test
    void findsAStartOfAnOlderVersionThanIsShownUnlessThatIsAllowed() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        story.decide("inventory-changed", "", SmallFleet.machine("cp", "v1.33.4"));
        story.decide("inventory-changed", "", SmallFleet.machine("w1", "v1.33.4"));
        fleet.allowsDowngrade();
        fleet.upgrade("cp");
        assertThat(story.found).isEmpty();
        fleet.asks("\"weight\":100");
        fleet.admit("w1");
        expect(Invariant.GATES, "berlin/fleet/w1 started for version 1.33.2, and it shows v1.33.4");
    }

    @Test
    void findsAControlPlaneThatLeavesItsWorkersTooFarBehind() {
        SmallFleet fleet = SmallFleet.in(story);
        story.decide("inventory-changed", "", SmallFleet.machine("cp", "v1.32.9"));
        story.decide("inventory-changed", "", SmallFleet.machine("w2", "v1.29.1"));
        fleet.admit("cp");
        expect(Invariant.GATES, "berlin/fleet/cp started for version 1.33.2, and berlin/fleet/w2 shows v1.29.1");
    }

    @Test
    void findsTwoAtOnceWhereNobodyKnowsWhichVersionTheTargetIs() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.expectsNoVersion();
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.GATES, "berlin/fleet/w2 started beside another, and no machine has shown which version");
    }

    @Test
    void findsAWorkerBeforeItsControlPlane() {
        SmallFleet.in(story).admit("w1");
        expect(Invariant.CLUSTER, "worker berlin/fleet/w1 started before control-plane machine berlin/fleet/cp");
    }

    @Test
    void countsTheUnavailableWithThoseInFlight() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.upgrade("cp");
        story.decide("inventory-changed", "", SmallFleet.machine("w3", false));
        fleet.admit("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.CLUSTER, "with it 3 workers of its cluster are unavailable or in flight, 2 may be");
    }

    @Test
    void findsAStartUnderAFreeze() {
        SmallFleet fleet = SmallFleet.in(story);
        story.decide("order-applied", "", freeze());
        fleet.admit("cp");
        expect(Invariant.STOP, "berlin/fleet/cp started while its site is frozen");
    }

    private static Row freeze() {
        return SmallFleet.row(
                "freezes",
                "fleet/freeze",
                "{\"order\":\"fleet/freeze\",\"id\":\"1\",\"who\":\"ada\",\"why\":\"\",\"verb\":\"freeze\"}");
    }

    @Test
    void findsAStartInAPausedCampaign() {
        SmallFleet fleet = SmallFleet.in(story);
        story.decide("campaign-paused", "", fleet.campaign("paused", 5));
        fleet.admit("cp");
        expect(Invariant.STOP, "while campaign c is paused");
    }

    @Test
    void findsAStartThatTheBudgetForbids() {
        SmallFleet fleet = SmallFleet.in(story, "9", 1);
        fleet.upgrade("cp");
        fleet.fails("w1", "unreachable");
        assertThat(story.found).isEmpty();
        fleet.admit("w2");
        expect(Invariant.BUDGET, "1 machines of campaign c have failed and 1.0 may, the budget is 1");
    }

    @Test
    void findsAStartThatTheBudgetForbidsWhenTheMachineThatFailedIsDeleted() {
        SmallFleet fleet = SmallFleet.in(story, "9", 1);
        fleet.upgrade("cp");
        fleet.fails("w1", "unreachable");
        story.decide(
                "inventory-changed",
                "",
                SmallFleet.row("inventory.berlin", "machine/fleet/w1", null),
                SmallFleet.row("status.berlin", "machine/fleet/w1", null));
        fleet.admit("w2");
        expect(Invariant.BUDGET, "1 machines of campaign c have failed and 1.0 may, the budget is 1");
    }

    @Test
    void findsAStartOfAMachineThatIsNotThere() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.admit("w9");
        expect(Invariant.GATES, "a machine without an inventory row");
    }

    @Test
    void findsNothingWrongWithAnOwnersIntentWhoseMachinesNameIt() {
        SmallFleet fleet = SmallFleet.in(story);
        String owner = "owner/MachineDeployment/fleet/shop";
        story.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleet.TARGET));
        fleet.drivenBy(owner);
        fleet.upgrade("w1");
        assertThat(story.found).isEmpty();
        fleet.admit("cp");
        expect(Invariant.GATES, "berlin/fleet/cp started: a machine for intent of berlin " + owner);
    }

    @Test
    void findsAnOwnersIntentThatGoesBeforeTheMachinesOwn() {
        SmallFleet fleet = SmallFleet.in(story);
        String owner = "owner/MachineDeployment/fleet/shop";
        story.decide("intent-changed", "", fleet.intent(owner, "o", SmallFleet.TARGET));
        fleet.drivenBy(owner);
        story.decide("intent-changed", "", fleet.intent("machine/fleet/w1", "another", "revision=7"));
        fleet.upgrade("w1");
        assertThat(story.found).isEmpty();
        story.decide("intent-changed", "", fleet.intent("machine/fleet/w2", "u-w2", "revision=7"));
        fleet.admit("w2");
        expect(Invariant.GATES, "while its turn has Intent[site=berlin, object=machine/fleet/w2");
    }

    @Test
    void takesALocalPathForAnIntentOnlyBelowADirectoryThatThePolicyNames() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        story.decide("intent-changed", "", fleet.intent("cluster/fleet/shop", "c", "localPath=/opt/snaps/k8s.snap"));
        fleet.localPaths("/opt/snap");
        fleet.upgrade("w1");
        assertThat(story.found).isEmpty();
        fleet.localPaths("/opt/snaps");
        fleet.admit("w2");
        expect(Invariant.GATES, "while its turn has Intent[site=berlin, object=cluster/fleet/shop");
    }

    @Test
    void findsAnOwnersIntentThatIsFollowedToAnotherTarget() {
        SmallFleet fleet = SmallFleet.in(story);
        String owner = "owner/MachineDeployment/fleet/shop";
        story.decide("intent-changed", "", fleet.intent(owner, "o", "revision=7"));
        fleet.drivenBy(owner);
        fleet.admit("w1");
        expect(Invariant.GATES, "to revision=3501, while its turn has Intent[site=berlin, object=" + owner);
    }

    @Test
    void findsACampaignThatGoesBeforeAnIntent() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        story.decide("intent-changed", "", fleet.intent("cluster/fleet/shop", "c", "revision=7"));
        fleet.admit("w1");
        expect(Invariant.GATES, "a machine for campaign c");
    }

    @Test
    void findsASuccessThatNoWorkerHasTold() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.success("cp", number);
        expect(Invariant.PROOF, "goes by the word \"succeeded\", which no worker has said");
    }

    @Test
    void findsASuccessOnAnotherRevision() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.says("cp", number, SmallFleet.succeeded("upgraded", 3000));
        fleet.success("cp", number);
        expect(Invariant.PROOF, "the node shows revision 3000, revision=3501 is asked for");
    }

    @Test
    void findsASecondLicenceAfterACallOfUnknownOutcome() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "verifying");
        fleet.steppedOnly("cp", number, "starting");
        expect(Invariant.ONE_CALL, "gets another licence after a call that may have been made");
    }

    @Test
    void findsTwoChangesOfOneAttempt() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.says("cp", number, "{\"says\":\"stepped\",\"step\":\"verifying\",\"changeId\":\"8\"}");
        expect(Invariant.ONE_CALL, "has two changes on its node, 7 and 8");
    }

    @Test
    void findsACallWithoutALicence() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.steps("cp", fleet.admit("cp"), "preflight", "refreshing");
        expect(Invariant.ONE_CALL, "was called without a licence");
    }

    @Test
    void findsACallAfterItsCommandsEnd() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        story.seconds(910);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"says\":\"stepped\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(Invariant.STOP, "ms after its command's end");
    }

    @Test
    void findsACallAfterItsCommandWasTakenBack() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        story.decide("order-applied", "", freeze());
        cancel(fleet, number);
        story.seconds(3);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"says\":\"stepped\",\"step\":\"refreshing\",\"changeId\":\"7\"}");
        expect(Invariant.STOP, "ms after its command was taken back");
    }

    @Test
    void allowsALicenceThatWasNotUsedAfterItsCommandWasTakenBack() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        story.decide("order-applied", "", freeze());
        cancel(fleet, number);
        story.seconds(3);
        fleet.steppedOnly("cp", number, "starting");
        fleet.says("cp", number, "{\"says\":\"cancelled\"}");
        story.decide("attempt-cancelled", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        expectNothing();
    }

    private void cancel(SmallFleet fleet, long number) {
        story.decide(
                "attempt-cancelling",
                "freeze",
                fleet.attempt("cp", number, "\"is\":\"admitted\",\"notAfter\":\"" + story.instant(900) + "\"", true),
                fleet.cancel("cp", number));
    }

    @Test
    void findsACancelThatItsWorkerIsNotTold() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        story.decide(
                "attempt-cancelling",
                "freeze",
                fleet.attempt("cp", number, "\"is\":\"admitted\",\"notAfter\":\"" + story.instant(900) + "\"", true));
        expect(Invariant.STOP, "is cancelled and its worker is not told");
    }

    @Test
    void demandsNothingOfAttemptsInASiteThatIsSetAside() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.admit("cp");
        Row aside = new Row(
                "flotilla.head",
                "berlin",
                "{\"site\":\"berlin\",\"inFlight\":1,\"offsets\":{},\"unreachableSince\":\"" + story.instant() + "\"}");
        story.decide("took-over", "");
        story.journal("site-changed", "unreachable: its topics are gone", aside);
        story.journal("order-applied", "", freeze());
        story.seconds(4000);
        story.journal("wave-settled", "");
        assertThat(story.found).isEmpty();
    }

    @Test
    void findsALicenceThatStaysOutWhileItIsStopped() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.admit("cp");
        story.decide("order-applied", "", freeze());
        story.decide("inventory-changed", "", SmallFleet.machine("w1", false));
        assertThat(story.found).isEmpty();
        story.seconds(40);
        story.decide("inventory-changed", "", SmallFleet.machine("w1", true));
        expect(Invariant.STOP, "may still call while it is stopped, and the orchestrator goes on");
    }

    @Test
    void findsACommandWithoutEnd() {
        SmallFleet fleet = SmallFleet.in(story);
        long number = story.next();
        story.decide(
                "attempt-admitted",
                "",
                fleet.attempt("cp", number, "\"is\":\"admitted\",\"notAfter\":\"" + story.instant(900) + "\"", false),
                fleet.upgrade("cp", number, 86_400));
        expect(Invariant.STOP, "longer than any command lasts");
    }

    @Test
    void findsAnAttemptThatIsLost() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.admit("cp");
        story.decide("inventory-changed", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        expect(Invariant.NOTHING_LOST, "which does not end it");
    }

    @Test
    void findsAnAttemptThatIsUnknownForEver() {
        SmallFleet fleet = SmallFleet.in(story, "9", 5);
        fleet.upgrade("cp");
        long number = fleet.admit("w1");
        story.decide(
                "attempt-unknown",
                "",
                fleet.attempt("w1", number, "\"is\":\"unknown\",\"since\":\"" + story.instant() + "\"", false));
        story.seconds(3 * 3600);
        fleet.admit("w2");
        expect(Invariant.NOTHING_LOST, "is unknown past its time");
    }

    @Test
    void findsACampaignThatIsCompleteTooEarly() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        story.decide("campaign-completed", "", fleet.campaign("completed", 5));
        expect(Invariant.NOTHING_LOST, "completed while 3 of its machines have not ended");
    }

    @Test
    void tellsWhoWaitsWhenTheRunIsOver() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(story.audit.unfinished(10))
                .containsExactly(
                        "berlin/fleet/w1 has an attempt open",
                        "berlin/fleet/w2 waits in campaign c, which is running",
                        "berlin/fleet/w3 waits in campaign c, which is running");
        story.audit.runIsOver();
        expect(Invariant.NOTHING_LOST, "berlin/fleet/w1 has an attempt open, and the run is over");
    }
}
