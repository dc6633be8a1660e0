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
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
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

    private static WorkerCommand.UpgradeMachine command(MachineRole role, String target) {
        return UpgradeProcedureHarness.command(role, UpgradeTarget.parse(target), null, null)
                .withNodeUpgrade(new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm"));
    }

    private static WorkerCommand.UpgradeMachine release() {
        return command(MachineRole.WORKER, "version=v1.36.3");
    }

    private static NodeInspection.ObservedNode observed(@Nullable String version, @Nullable String spec) {
        return new NodeInspection.ObservedNode(null, version, true, false, null, spec);
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
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
        assertThat(worker.signal(shows("v1.35.4"))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed()))
                .isEqualTo(new UpgradeAction.PollChange(NodeUpgradeName.of(release())));
        assertThat(worker.signal(NOT_FOUND)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.35.4"));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(DONE)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.36.3"));
        succeeded(worker, "v1.36.3");
        assertThat(worker.calls()).isOne();
    }

    @Test
    void objectThatWasNeverMadeLeavesTheOutcomeUnknown() {
        UpgradeProcedureHarness worker = started(release());
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("timeout")));
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
    void workerThatTakesOverAPermitLooksForTheObjectOfTheAttempt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(release());
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null)))
                .isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("v1.35.4"));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed()))
                .isEqualTo(new UpgradeAction.PollChange(NodeUpgradeName.of(release())));
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
