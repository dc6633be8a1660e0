package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How a worker upgrades a machine by a NodeUpgrade: the node proves the target, never the upgrader's word. */
class NodeUpgradeProcedureTest {
    private static final String HASH = "sha256:" + "4f".repeat(32);
    private static final UpgradeInput DONE = new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone());
    private static final UpgradeInput SILENT =
            new UpgradeInput.ChangePolled(new ChangeStatus.StatusUnavailable("no heartbeat"));
    private static final UpgradeInput NOT_FOUND = new UpgradeInput.ChangePolled(new ChangeStatus.ChangeForgotten());

    private static final UpgradeInput RUNNING =
            new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("it is Running"));
    private static final UpgradeInput ABORTED =
            new UpgradeInput.ChangePolled(new ChangeStatus.ChangeAborted("was aborted"));
    private static final UpgradeAction POLL = new UpgradeAction.PollChange(NodeUpgradeName.of(release()));

    private static WorkerCommand.UpgradeMachine command(MachineRole role, String target) {
        return UpgradeProcedureHarness.command(role, UpgradeTarget.parse(target), null, null)
                .withNodeUpgrade(new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm"));
    }

    private static WorkerCommand.UpgradeMachine release() {
        return command(MachineRole.WORKER, "version=v1.36.3");
    }

    private static NodeInspection.ObservedNode observed(@Nullable String version, @Nullable String spec) {
        return new NodeInspection.ObservedNode(null, version, true, false).withObservedSpec(spec);
    }

    private static UpgradeInput shows(@Nullable String version) {
        return new UpgradeInput.NodeInspected(observed(version, null));
    }

    private static UpgradeProcedureHarness started(WorkerCommand.UpgradeMachine command) {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(command);
        worker.begin(null);
        worker.signal(shows("v1.35.4"));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        worker.signal(new UpgradeInput.PreconditionsChecked(null));
        return worker;
    }

    private static UpgradeProcedureHarness running(WorkerCommand.UpgradeMachine command) {
        UpgradeProcedureHarness worker = started(command);
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted(NodeUpgradeName.of(command))));
        worker.commitReport();
        return worker;
    }

    private static void succeeded(UpgradeProcedureHarness worker, String version) {
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, null, version));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            nullValues = "-",
            value = {
                "v1.36.3, true",
                "v1.36.2, false",
                "v1.36.30, false",
                "v1.36.3+k3s1, false",
                "v1.37.0, false",
                "-, false"
            })
    void releaseIsProvenByTheKubeletsVersion(@Nullable String version, boolean proven) {
        assertThat(NodeTargetMatcher.isAtTarget(observed(version, null), release()))
                .isEqualTo(proven);
        assertThat(NodeTargetMatcher.isAtTargetAfterChange(observed(version, null), release(), ""))
                .isEqualTo(proven);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            nullValues = "-",
            value = {
                "sha256:4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f, true",
                "sha256:5f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f, false",
                "-, false"
            })
    void hashIsProvenByWhatTheUpgraderObserved(@Nullable String spec, boolean proven) {
        WorkerCommand.UpgradeMachine command = command(MachineRole.WORKER, "spec=" + HASH);
        assertThat(NodeTargetMatcher.isAtTarget(observed("v1.36.3", spec), command))
                .isEqualTo(proven);
        assertThat(NodeTargetMatcher.isAtTargetAfterChange(observed("v1.36.3", spec), command, ""))
                .isEqualTo(proven);
    }

    @Test
    void hashWithAnExpectedVersionNeedsBoth() {
        WorkerCommand.UpgradeMachine command = UpgradeProcedureHarness.command(
                MachineRole.WORKER, new UpgradeTarget.MachineSpecHash(HASH), "1.36.3", null);
        assertThat(NodeTargetMatcher.isAtTarget(observed("v1.36.3", HASH), command))
                .isTrue();
        assertThat(NodeTargetMatcher.isAtTarget(observed("v1.35.4", HASH), command))
                .isFalse();
    }

    @Test
    void nodeThatIsNotReadyProvesNothing() {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(DONE);
        UpgradeInput notReady =
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode(null, "v1.36.3", false, false));
        assertThat(worker.signal(notReady)).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
    }

    @Test
    void nodeAtItsTargetIsNotCalled() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(release());
        worker.begin(null);
        worker.signal(shows("v1.36.3"));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, null, "v1.36.3"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void releaseIsNotDowngradedToItsPreRelease() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(
                command(MachineRole.WORKER, "version=v1.36.0-rc.1").withoutDowngrade());
        worker.begin(null);
        worker.signal(shows("v1.36.0"));
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.Deferred.class);
    }

    @Test
    void newerNodeIsNotDowngraded() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(release().withoutDowngrade());
        worker.begin(null);
        worker.signal(shows("v1.36.4"));
        assertThat(worker.lastReport())
                .isInstanceOfSatisfying(
                        AttemptReport.Deferred.class,
                        deferred ->
                                assertThat(deferred.reason()).contains("v1.36.4", "version=v1.36.3", "allowDowngrade"));
    }

    @ParameterizedTest
    @EnumSource(MachineRole.class)
    void upgradersWordIsNotBelieved(MachineRole role) {
        UpgradeProcedureHarness worker = running(command(role, "version=v1.36.3"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("v1.35.4"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.now += UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("v1.35.4"));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isInstanceOfSatisfying(AttemptReport.Failed.class, failed -> {
            assertThat(failed.failureClass()).isEqualTo(FailureClass.RETRYABLE);
            assertThat(failed.reason()).isEqualTo(FailureReason.NOT_AT_TARGET);
            assertThat(failed.text()).contains("shows version v1.35.4, the target is version=v1.36.3");
        });
    }

    /** A member whose hash is not proven must not count as one that waits for its peers: only k8sd does. */
    @Test
    void memberOfAnotherProviderNeverAwaitsPeers() {
        UpgradeProcedureHarness worker = running(command(MachineRole.CONTROL_PLANE, "spec=" + HASH));
        worker.signal(DONE);
        assertThat(worker.signal(shows("v1.36.3"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(new UpgradeInput.NodeInspected(observed("v1.36.3", HASH)));
        succeeded(worker, "v1.36.3");
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"RETRYABLE", "TERMINAL"})
    void upgradersFailureKeepsItsClass(FailureClass failureClass) {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeFailed(
                failureClass, FailureReason.NODE_UPGRADE_FAILED, "DiskFull: no space left")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        failureClass, FailureReason.NODE_UPGRADE_FAILED, "DiskFull: no space left"));
    }

    @Test
    void noAnswerIsResolvedByTheObjectOfTheAttemptWithoutAnotherCall() {
        UpgradeProcedureHarness worker = started(release());
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout"))))
                .isEqualTo(POLL);
        assertThat(worker.signal(NOT_FOUND)).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(shows("v1.35.4"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(POLL);
        assertThat(worker.signal(DONE)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
        assertThat(worker.calls()).isOne();
    }

    @Test
    void objectThatWasNeverMadeLeavesTheOutcomeUnknown() {
        UpgradeProcedureHarness worker = started(release());
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
        worker.signal(NOT_FOUND);
        worker.signal(shows("v1.35.4"));
        worker.now += UpgradeTimeouts.TARGET + 1;
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(NOT_FOUND);
        worker.signal(shows("v1.35.4"));
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.OutcomeUnknown.class);
        assertThat(worker.isOver()).isFalse();
        assertThat(worker.calls()).isOne();
    }

    @Test
    void callThatCanNoLongerCreateItsObjectHasFailed() {
        UpgradeProcedureHarness worker = started(release());
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
        worker.now += UpgradeTimeouts.CALL_SETTLED;
        assertThat(worker.signal(NOT_FOUND)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.35.4"));
        worker.now += 1;
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(NOT_FOUND);
        worker.now += UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("v1.35.4"));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isInstanceOfSatisfying(AttemptReport.Failed.class, failed -> {
            assertThat(failed.failureClass()).isEqualTo(FailureClass.RETRYABLE);
            assertThat(failed.reason()).isEqualTo(FailureReason.CHANGE_LOST);
            assertThat(failed.text()).startsWith("there is no NodeUpgrade " + NodeUpgradeName.of(release()));
        });
    }

    @Test
    void foundObjectIsRecordedAndPolled() {
        UpgradeProcedureHarness worker = started(release());
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
        worker.signal(RUNNING);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, NodeUpgradeName.of(release())));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(POLL);
    }

    /** A worker that continues from a change id in this step takes the change for done. */
    @Test
    void unknownOutcomeIsVerifiedWithoutAChangeId() {
        UpgradeProcedureHarness worker = started(release());
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
        worker.signal(NOT_FOUND);
        worker.signal(shows("v1.35.4"));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.VERIFYING, null));
        UpgradeProcedureHarness next = new UpgradeProcedureHarness(release());
        assertThat(next.begin(worker.lastReport())).isEqualTo(POLL);
        assertThat(next.signal(RUNNING)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    private static WorkerCommand cancel(UpgradeProvider provider) {
        WorkerCommand.UpgradeMachine command = release();
        return new WorkerCommand.CancelUpgrade(
                command.key(),
                command.uid(),
                command.attemptId(),
                "rollout-ended",
                provider,
                provider == UpgradeProvider.NODE_UPGRADE ? command.template() : null,
                provider == UpgradeProvider.NODE_UPGRADE
                        ? new WorkerCommand.CancelledUpgrade(command.role(), command.target(), null)
                        : null);
    }

    @Test
    void cancelAbortsTheChangeThatRunsAndAwaitsItsEnd() {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(RUNNING);
        worker.signal(new UpgradeInput.CommandChanged(cancel(UpgradeProvider.NODE_UPGRADE)));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed()))
                .isEqualTo(new UpgradeAction.AbortChange(NodeUpgradeName.of(release())));
        assertThat(worker.signal(RUNNING)).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.isOver()).isFalse();
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(ABORTED)).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Aborted("was aborted"));
    }

    @Test
    void anAbortThatNobodyCommandedIsAFailureThatMayBeRetried() {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(ABORTED);
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.NODE_UPGRADE_FAILED, "was aborted"));
    }

    @Test
    void cancelOfAChangeThatIsDoneIsProvenAsEver() {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(new UpgradeInput.CommandChanged(cancel(UpgradeProvider.NODE_UPGRADE)));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(DONE)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
    }

    @Test
    void workerThatKnowsOnlyTheCancellationFindsTheObjectOfACallPermit() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(cancel(UpgradeProvider.NODE_UPGRADE));
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null)))
                .isEqualTo(new UpgradeAction.AbortChange(NodeUpgradeName.of(release())));
        assertThat(worker.signal(DONE)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
        assertThat(worker.calls()).isZero();
    }

    @Test
    void workerThatKnowsOnlyTheCancellationCallsNothing() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(cancel(UpgradeProvider.NODE_UPGRADE));
        worker.begin(null);
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Cancelled());
    }

    @ParameterizedTest
    @EnumSource(
            value = UpgradeProvider.class,
            names = {"K8SD", "NODE_UPGRADE"})
    void onlyANodeUpgradeIsAbortedByAWorkerThatKnowsNothingElse(UpgradeProvider provider) {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(cancel(provider));
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7")))
                .isEqualTo(
                        provider == UpgradeProvider.K8SD
                                ? new UpgradeAction.PollChange("7")
                                : new UpgradeAction.AbortChange("7"));
    }

    private static ControlPlaneComponent component(String name, @Nullable String tag) {
        return new ControlPlaneComponent(name, tag, true);
    }

    private static NodeInspection.ObservedNode member(@Nullable String scheduler) {
        return observed("v1.36.3", null)
                .withComponents(List.of(
                        component("kube-apiserver", "v1.36.3"),
                        component("kube-controller-manager", "v1.36.3"),
                        component("kube-scheduler", scheduler)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            nullValues = "-",
            value = {
                "v1.36.3, true",
                "v1.36.2, false",
                "v1.36.3-rc.0, false",
                "v1.36.30, false",
                "latest, false",
                "-, false"
            })
    void memberIsProvenByItsStaticPodsToo(@Nullable String scheduler, boolean proven) {
        WorkerCommand.UpgradeMachine command = command(MachineRole.CONTROL_PLANE, "version=v1.36.3");
        assertThat(NodeTargetMatcher.isAtTarget(member(scheduler), command)).isEqualTo(proven);
        UpgradeProcedureHarness worker = running(command);
        worker.signal(DONE);
        worker.signal(new UpgradeInput.NodeInspected(member(scheduler)));
        worker.now += UpgradeTimeouts.TARGET + 1;
        worker.signal(new UpgradeInput.NodeInspected(member(scheduler)));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport() instanceof AttemptReport.Succeeded).isEqualTo(proven);
        if (worker.lastReport() instanceof AttemptReport.Failed failed) {
            assertThat(failed.text())
                    .contains("shows version v1.36.3 and kube-scheduler "
                            + (scheduler == null ? "without a version" : scheduler) + ", the target is");
        }
    }

    @Test
    void buildOfAVersionMayHaveMoreInItsImagesTag() {
        assertThat(component("kube-scheduler", "v1.36.3-rke2r1-build20260301").runs("v1.36.3+rke2r1"))
                .isTrue();
        assertThat(component("kube-scheduler", "v1.36.3-rke2r10").runs("v1.36.3+rke2r1"))
                .isFalse();
        assertThat(new ControlPlaneComponent("kube-scheduler", "v1.36.3", false).runs("v1.36.3"))
                .isFalse();
    }

    @Test
    void memberWithoutOneOfItsStaticPodsIsNotProven() {
        NodeInspection.ObservedNode node =
                observed("v1.36.3", null).withComponents(List.of(component("kube-apiserver", "v1.36.3")));
        assertThat(NodeTargetMatcher.isAtTarget(node, command(MachineRole.CONTROL_PLANE, "version=v1.36.3")))
                .isFalse();
    }

    @Test
    void workerThatTakesOverAPermitLooksForTheObjectOfTheAttempt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(release());
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null)))
                .isEqualTo(POLL);
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeFailed(
                FailureClass.TERMINAL, FailureReason.NODE_UPGRADE_FAILED, "DiskFull: no space left")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.TERMINAL, FailureReason.NODE_UPGRADE_FAILED, "DiskFull: no space left"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void silentUpgraderIsVerifiedOnTheNode() {
        UpgradeProcedureHarness worker = running(release());
        worker.signal(SILENT);
        worker.now += UpgradeTimeouts.SILENCE + 1;
        worker.signal(SILENT);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the NodeUpgrade's controller has not reported the change's status for 30 min: no heartbeat",
                        NodeUpgradeName.of(release()),
                        null));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(SILENT);
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
    }
}
