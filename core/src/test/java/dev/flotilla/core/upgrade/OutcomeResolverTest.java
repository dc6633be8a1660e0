package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a worker finds out the outcome of its call. */
class OutcomeResolverTest {
    private static final UpgradeTarget CHANNEL = new UpgradeTarget.Channel("1.33-classic/stable");
    private static final UpgradeTarget PATH = new UpgradeTarget.LocalPath("/opt/k8s.snap");
    private static final UpgradeInput DONE = new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone());
    private static final UpgradeInput SILENT =
            new UpgradeInput.ChangePolled(new ChangeStatus.StatusUnavailable("connection refused"));
    private static final UpgradeInput WAITS_FOR_PEERS = new UpgradeInput.ChangePolled(new ChangeStatus.AwaitsPeers(
            "Database is waiting for an upgrade: 2 cluster members have not yet received the update"));

    private static UpgradeInput shows(@Nullable String revision, String version) {
        return new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode(revision, version, true, false));
    }

    private static UpgradeProcedureHarness changed(WorkerCommand command) {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(command);
        worker.runToChange();
        return worker;
    }

    private static UpgradeProcedureHarness member(UpgradeTarget target, @Nullable String version) {
        return changed(UpgradeProcedureHarness.command(MachineRole.CONTROL_PLANE, target, version, null));
    }

    private static void succeeded(
            UpgradeProcedureHarness worker, SuccessProof how, @Nullable String revision, String version) {
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Succeeded(how, revision, version));
    }

    private static void failed(UpgradeProcedureHarness worker, FailureReason reason, String text) {
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text));
    }

    @Test
    void aLocalFileIsProvenByANewRevisionAfterItsChange() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(MachineRole.WORKER, PATH, null, null));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7", "3000"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(shows("x1", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "x1", "v1.33.0");
    }

    @Test
    void aLocalFileIsProvenAfterAnotherWorkerHasCalled() {
        UpgradeProcedureHarness worker =
                new UpgradeProcedureHarness(UpgradeProcedureHarness.command(MachineRole.WORKER, PATH, null, null));
        worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7", "x1"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("x1", "v1.33.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(shows("x2", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "x2", "v1.33.0");
    }

    @Test
    void aLocalFileOfAnotherVersionThanExpectedHasFailed() {
        UpgradeProcedureHarness worker =
                changed(UpgradeProcedureHarness.command(MachineRole.WORKER, PATH, "1.33.2", null));
        worker.signal(DONE);
        worker.signal(shows("x1", "v1.33.1"));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("x1", "v1.33.1"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision x1 and version v1.33.1, the target is localPath=/opt/k8s.snap,"
                        + " version 1.33.2");
    }

    @Test
    void anExpectedVersionMayOmitTheLeadingV() {
        UpgradeProcedureHarness worker = changed(
                UpgradeProcedureHarness.command(MachineRole.WORKER, UpgradeProcedureHarness.TARGET, "1.33.2", null));
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.2"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.2");
    }

    @Test
    void aResolvedChannelIsProvenOnlyByItsRevision() {
        UpgradeProcedureHarness worker =
                changed(UpgradeProcedureHarness.command(MachineRole.WORKER, CHANNEL, null, "3100"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3101", "v1.33.1"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("3101", "v1.33.1"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision 3101 and version v1.33.1, the target is"
                        + " channel=1.33-classic/stable, which is revision 3100");
    }

    @Test
    void aChannelIsNotResolvedFromTheRevisionBeforeTheCall() {
        UpgradeProcedureHarness worker =
                changed(UpgradeProcedureHarness.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(shows("3001", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3001", "v1.33.0");
    }

    @Test
    void anUnchangedRevisionIsNoProofOfAChannel() {
        UpgradeProcedureHarness worker =
                changed(UpgradeProcedureHarness.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(DONE);
        worker.signal(shows("3000", "v1.33.0"));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("3000", "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision 3000 and version v1.33.0, the target is"
                        + " channel=1.33-classic/stable");
    }

    @Test
    void aTrackWithoutAVersionRestrictsNothing() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.Channel("latest/edge"), null, null));
        worker.signal(DONE);
        worker.signal(shows("3200", "v1.34.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3200", "v1.34.0");
    }

    @Test
    void aWorkerNodeWithoutARevisionProvesNothing() {
        UpgradeProcedureHarness worker = changed(
                UpgradeProcedureHarness.command(MachineRole.WORKER, UpgradeProcedureHarness.TARGET, "1.33.0", null));
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(shows(null, "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, the target is revision=3100, version"
                        + " 1.33.0");
    }

    @Test
    void aMemberThatAwaitsPeersSucceedsByItsKubelet() {
        UpgradeProcedureHarness worker = member(CHANNEL, null);
        assertThat(worker.signal(WAITS_FOR_PEERS)).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(shows(null, "v1.32.0")))
                .as("its kubelet is not at the target yet")
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(WAITS_FOR_PEERS);
        worker.signal(shows(null, "v1.33.0"));
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.33.0");
    }

    @Test
    void aMemberWithoutARevisionIsAskedWhetherItAwaitsPeers() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.signal(DONE);
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new UpgradeAction.PollChange("7"));
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new UpgradeAction.PollChange("7"));
        worker.signal(WAITS_FOR_PEERS);
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.33.0");
    }

    @Test
    void aMemberWithoutARevisionThatDoesNotAwaitPeersHasFailed() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(DONE);
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, the target is revision=3100");
    }

    @Test
    void aWorkerNodeNeverAwaitsPeers() {
        UpgradeProcedureHarness worker =
                changed(UpgradeProcedureHarness.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    @Test
    void theLastMemberSucceedsWhenAllMembersShowTheirRevision() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        NodeInspection alone = new NodeInspection.ObservedNode("3100", "v1.33.0", true, false, "cp-1");
        worker.signal(DONE);
        worker.signal(new UpgradeInput.NodeInspected(alone));
        worker.now = UpgradeTimeouts.PEERS;
        assertThat(worker.signal(new UpgradeInput.NodeInspected(alone)))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void theLastMemberFailsWhenAnotherNeverShowsItsRevision() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        NodeInspection alone = new NodeInspection.ObservedNode("3100", "v1.33.0", true, false, "cp-1");
        worker.signal(DONE);
        worker.signal(new UpgradeInput.NodeInspected(alone));
        worker.now = UpgradeTimeouts.PEERS + 1;
        worker.signal(new UpgradeInput.NodeInspected(alone));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "the node shows revision 3100, but the k8sd of cp-1 does not show its revision");
    }

    @Test
    void anUnreachableApiServerIsReportedOnceAndAwaited() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        UpgradeInput away =
                new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("the cluster's API does not answer"));
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        worker.now = UpgradeTimeouts.SILENCE_BEFORE_API_PROBE + 1;
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(away)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.API_UNREACHABLE, "7"));
        worker.signal(SILENT);
        worker.signal(away);
        assertThat(worker.actions)
                .filteredOn(upgradeAction -> upgradeAction instanceof UpgradeAction.WriteReport)
                .hasSize(3);
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void anApiServerThatStaysUnreachableMakesTheOutcomeUnknown() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.signal(SILENT);
        worker.now = UpgradeTimeouts.SILENCE;
        worker.signal(SILENT);
        worker.signal(
                new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("the cluster's API does not answer")));
        worker.now = UpgradeTimeouts.SILENCE + 1;
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.LATE_PROOF));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "k8sd has not reported the change's status for 30 min: the cluster's API does not answer",
                        "7",
                        null));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void reportsAChangeThatAwaitsARestart() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        UpgradeInput waits = new UpgradeInput.ChangePolled(new ChangeStatus.Blocked("change 7 is Wait"));
        worker.signal(waits);
        worker.now = UpgradeTimeouts.CHANGE_BLOCKED + 1;
        assertThat(worker.signal(waits)).isEqualTo(new UpgradeAction.Wait(WaitReason.LATE_PROOF));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.OutcomeUnknown("change 7 is Wait", "7", null));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void reportsAChangeThatDoesNotEnd() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        worker.now = UpgradeTimeouts.CHANGE + 1;
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("change 7 is Doing")));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the change has not ended within 60 min: change 7 is Doing", "7", null));
    }

    @Test
    void reportsANodeThatIsUnreadableForLong() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        UpgradeInput unreachable =
                new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("the cluster's API does not answer"));
        worker.signal(DONE);
        worker.signal(unreachable);
        worker.now = UpgradeTimeouts.SILENCE + 1;
        assertThat(worker.signal(unreachable)).isEqualTo(new UpgradeAction.Wait(WaitReason.LATE_PROOF));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the node's state could not be read for 30 min: the cluster's API does not answer", "7", null));
    }

    @Test
    void resumesAnUnknownOutcomeWithoutASecondReport() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        assertThat(worker.begin(new AttemptReport.OutcomeUnknown("silence", "7", null)))
                .isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(shows("3000", "v1.32.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.LATE_PROOF));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeFailed("change 7 is Error: no space left")));
        failed(worker, FailureReason.REFRESH_ERROR, "change 7 is Error: no space left");
        assertThat(worker.actions)
                .filteredOn(upgradeAction -> upgradeAction instanceof UpgradeAction.WriteReport)
                .hasSize(1);
    }

    @Test
    void anotherChangeThatDoesNotEndFailsTheAttempt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        UpgradeInput busy = new UpgradeInput.CallReturned(new CallResult.NodeBusy("exit status 10"));
        worker.runToCall();
        worker.signal(busy);
        worker.now = UpgradeTimeouts.BUSY + 1;
        worker.signal(new UpgradeInput.CommandChanged(
                UpgradeProcedureHarness.command(10 * UpgradeProcedureHarness.LEASE_EXPIRY)));
        again(worker);
        worker.signal(busy);
        failed(worker, FailureReason.NODE_BUSY, "exit status 10");
        assertThat(worker.calls()).isEqualTo(2);
    }

    @Test
    void aK8sdThatAcceptsNoRequestsFailsTheAttempt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        UpgradeInput closed = new UpgradeInput.CallReturned(new CallResult.NotSent("Database is offline"));
        worker.runToCall();
        worker.signal(closed);
        worker.now = UpgradeTimeouts.UNREACHABLE + 1;
        again(worker);
        worker.signal(closed);
        failed(worker, FailureReason.UNREACHABLE, "Database is offline");
    }

    private static void again(UpgradeProcedureHarness worker) {
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        worker.signal(new UpgradeInput.PreconditionsChecked(null));
    }

    @Test
    void returnsAnUnusedPermitAtAHandOver() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        assertThat(worker.isSettled()).isFalse();
        assertThat(worker.signal(new UpgradeInput.HandingOver()))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.GUARDING, null)));
        assertThat(worker.isSettled()).isTrue();
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked(null)))
                .isSameAs(UpgradeProcedureHarness.NOTHING);
    }

    @Test
    void keepsThePermitOfAStartedCallAtAHandOver() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.runToCall();
        assertThat(worker.signal(new UpgradeInput.HandingOver())).isSameAs(UpgradeProcedureHarness.NOTHING);
        assertThat(worker.isSettled()).isFalse();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
        assertThat(worker.isSettled()).isFalse();
        worker.commitReport();
        assertThat(worker.isSettled()).isTrue();
    }

    @Test
    void returnsThePermitOfARejectedCallAtAHandOver() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NodeBusy("exit status 10")));
        assertThat(worker.isSettled()).as("a call permit is written").isFalse();
        assertThat(worker.signal(new UpgradeInput.HandingOver()))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.GUARDING, null)));
        assertThat(worker.isSettled()).isTrue();
    }

    @Test
    void aReadableNodeMeansThatTheApiServerIsReachable() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.signal(SILENT);
        worker.now = UpgradeTimeouts.SILENCE_BEFORE_API_PROBE;
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        worker.now++;
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(shows("3000", "v1.32.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        worker.now = UpgradeTimeouts.SILENCE + 1;
        worker.signal(SILENT);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "k8sd has not reported the change's status for 30 min: connection refused", "7", null));
    }

    @Test
    void anUnreachableWorkerNodeSaysNothingAboutTheApiServer() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        worker.signal(SILENT);
        worker.now = UpgradeTimeouts.SILENCE_BEFORE_API_PROBE + 1;
        worker.signal(SILENT);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(
                        new NodeInspection.Unreachable("the cluster's API does not answer"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
    }

    @Test
    void keepsPollingAnUnreadableMemberThatAwaitsPeers() {
        UpgradeProcedureHarness worker = member(CHANNEL, null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
    }

    @Test
    void aMemberThatAwaitsPeersAndIsNotReadyHasNotSucceeded() {
        UpgradeProcedureHarness worker = member(CHANNEL, null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(
                        new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode(null, "v1.33.0", false, false))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    @Test
    void aMemberWithARevisionDoesNotAwaitPeersOnAnUnknownTrack() {
        UpgradeProcedureHarness worker = member(new UpgradeTarget.Channel("latest/edge"), null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(shows("3200", "v1.34.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(WAITS_FOR_PEERS);
        worker.signal(shows(null, "v1.34.0"));
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.34.0");
    }

    @Test
    void aNodeWithAnotherRunningChangeProvesNothing() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        UpgradeInput busy =
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3100", "v1.33.0", true, true));
        worker.signal(DONE);
        assertThat(worker.signal(busy)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now = UpgradeTimeouts.SILENCE;
        assertThat(worker.signal(busy)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now++;
        worker.signal(busy);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the node's state could not be read for 30 min: another change is running on it", "7", null));
    }

    @Test
    void reportsAMachineThatIsDeletedAfterItsChange() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        worker.signal(DONE);
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.MachineGone()));
        worker.now = UpgradeTimeouts.SILENCE + 1;
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.MachineGone()));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the node's state could not be read for 30 min: no such machine", "7", null));
    }

    @Test
    void aNodeWithNothingToDoThatIsNotAtItsTargetHasFailed() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(UpgradeProcedureHarness.command(
                MachineRole.CONTROL_PLANE, UpgradeProcedureHarness.TARGET, "1.33.0", null));
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NothingToDo()));
        assertThat(worker.signal(shows(null, "v1.33.0")))
                .as("without a change it cannot wait for peers")
                .isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now = UpgradeTimeouts.TARGET;
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now++;
        worker.signal(shows("3000", "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "the node reports that there is nothing to do, the node shows revision 3000 and version v1.33.0, the target is"
                        + " revision=3100, version 1.33.0");
    }

    @Test
    void aChannelWithNothingToDoIsResolvedFromTheNode() {
        UpgradeProcedureHarness worker =
                new UpgradeProcedureHarness(UpgradeProcedureHarness.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NothingToDo()));
        worker.signal(shows("3000", "v1.33.0"));
        succeeded(worker, SuccessProof.UNCHANGED, "3000", "v1.33.0");
    }

    @Test
    void anUnansweredMemberHasTheReadyTimeout() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = UpgradeTimeouts.READY;
        assertThat(worker.signal(SILENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(shows(null, "v1.33.0"));
        worker.now++;
        worker.signal(SILENT);
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, the target is revision=3100");
    }

    @Test
    void aMemberThatDoesNotAwaitPeersHasTheTargetTimeout() {
        UpgradeProcedureHarness worker = member(UpgradeProcedureHarness.TARGET, null);
        worker.now = 40_000;
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now += UpgradeTimeouts.TARGET;
        assertThat(worker.signal(DONE)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
    }

    @Test
    void aForgottenChangeIsNoAnswer() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(new AttemptReport.OutcomeUnknown("silence", "7", null));
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeForgotten())))
                .isEqualTo(new UpgradeAction.InspectNode());
    }

    @Test
    void anUnknownOutcomeWithoutAChangeIsVerifiedOnTheNode() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(new AttemptReport.OutcomeUnknown("silence", null, null));
        worker.signal(shows("3000", "v1.32.0"));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(DONE)).isSameAs(UpgradeProcedureHarness.NOTHING);
    }

    @Test
    void aReadableNodeResetsTheUnreachableTimeout() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        UpgradeInput unreachable = new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused"));
        worker.signal(DONE);
        worker.signal(unreachable);
        worker.now = UpgradeTimeouts.SILENCE;
        worker.signal(unreachable);
        worker.signal(shows("3000", "v1.32.0"));
        worker.now++;
        assertThat(worker.signal(unreachable)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
    }

    @Test
    void aChangeThatContinuesResetsTheBlockedTimeout() {
        UpgradeProcedureHarness worker = changed(UpgradeProcedureHarness.command(UpgradeProcedureHarness.LEASE_EXPIRY));
        UpgradeInput waits = new UpgradeInput.ChangePolled(new ChangeStatus.Blocked("change 7 is Wait"));
        worker.signal(waits);
        worker.now = UpgradeTimeouts.CHANGE_BLOCKED;
        assertThat(worker.signal(waits)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("change 7 is Doing")));
        worker.now = UpgradeTimeouts.CHANGE;
        assertThat(worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("change 7 is Doing"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    @Test
    void anotherReasonResetsTheBlockedCallTimeout() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NotSent("Database is offline")));
        worker.now = UpgradeTimeouts.UNREACHABLE;
        again(worker);
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NotSent("Database is offline")));
        assertThat(worker.isOver()).isFalse();
        again(worker);
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NodeBusy("exit status 10")));
        worker.now++;
        again(worker);
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.NotSent("Database is offline"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }
}
