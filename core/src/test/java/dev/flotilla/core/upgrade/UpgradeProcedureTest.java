package dev.flotilla.core.upgrade;

import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.LEASE_EXPIRY;
import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.NOTHING;
import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.TARGET;
import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The next actions of an upgrade procedure. */
class UpgradeProcedureTest {
    private static final UpgradeInput NOT_SENT = new UpgradeInput.CallReturned(new CallResult.NotSent("k8sd restarts"));

    private final UpgradeProcedureHarness worker = new UpgradeProcedureHarness();

    @Test
    void inspectsConnectsGuardsWritesThePermitChecksCallsPollsVerifiesAndCleansUp() {
        assertThat(worker.begin(null)).isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
        assertThat(worker.signal(UpgradeProcedureHarness.REACHED)).isEqualTo(new UpgradeAction.SetGuards());
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.commitReport()).isEqualTo(new UpgradeAction.CheckPreconditions());
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked(null)))
                .isEqualTo(new UpgradeAction.CallUpgrade(TARGET, UpgradeTimeouts.PERMIT));
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7"))))
                .isEqualTo(say(AttemptStep.REFRESHING, "7"));
        assertThat(worker.commitReport()).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        assertThat(worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.InProgress("change 7 is Doing"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        assertThat(worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone())))
                .isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3100")))).isEqualTo(new UpgradeAction.CleanUp());
        assertThat(worker.signal(new UpgradeInput.CleanedUp()))
                .isEqualTo(new UpgradeAction.WriteReport(
                        new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0")));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.calls()).isEqualTo(1);
    }

    @Test
    void doesNotCallANodeThatIsAtItsTarget() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3100")));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
        assertThat(worker.calls()).isZero();
    }

    @ParameterizedTest(name = "{0} to {1} {2}: {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "v1.34.1, channel=1.33-classic/stable, -, stays",
                "v1.33.9, channel=1.33-classic/stable, -, goes",
                "v1.33.9, channel=1.33-classic/stable, 1.33.8, stays",
                "v1.34.1, revision=3100, -, goes",
                "v1.34.1, channel=latest/edge, -, goes"
            })
    void doesNotDowngradeANodeUnlessAllowed(String shown, String target, @Nullable String expected, String then) {
        WorkerCommand.UpgradeMachine command =
                UpgradeProcedureHarness.command(MachineRole.WORKER, UpgradeTarget.parse(target), expected, null);
        UpgradeInput seen = new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3400", shown, true, false));
        UpgradeProcedureHarness may = new UpgradeProcedureHarness(command);
        may.begin(null);
        assertThat(may.signal(seen)).isEqualTo(new UpgradeAction.ConnectToProvider());
        UpgradeProcedureHarness mayNot = new UpgradeProcedureHarness(command.withoutDowngrade());
        mayNot.begin(null);
        if (then.equals("goes")) {
            assertThat(mayNot.signal(seen)).isEqualTo(new UpgradeAction.ConnectToProvider());
        } else {
            mayNot.signal(seen);
            assertThat(mayNot.lastReport())
                    .isEqualTo(new AttemptReport.Deferred("the node shows " + shown + ", which is newer than " + target
                            + ": a downgrade needs allowDowngrade"));
        }
    }

    @Test
    void waitsForAnotherChangeOfTheNodeAndReportsItOnce() {
        UpgradeInput busy =
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3000", "v1.32.0", true, true));
        worker.begin(null);
        assertThat(worker.signal(busy)).isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(busy)).isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        assertThat(worker.actions)
                .filteredOn(upgradeAction -> upgradeAction instanceof UpgradeAction.WriteReport)
                .hasSize(1);
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    @Test
    void failsWhenANodeStaysUnreachableBeforeTheCall() {
        UpgradeInput unreachable = new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused"));
        worker.begin(null);
        worker.signal(unreachable);
        worker.now = UpgradeTimeouts.UNREACHABLE;
        worker.signal(unreachable);
        assertThat(worker.isOver()).isFalse();
        worker.now++;
        worker.signal(unreachable);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.UNREACHABLE, "connection refused"));
    }

    @Test
    void aReachableNodeResetsTheUnreachableTimeout() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused")));
        worker.now = UpgradeTimeouts.UNREACHABLE;
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3000", "v1.32.0", true, true)));
        worker.now++;
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused")));
        assertThat(worker.isOver()).isFalse();
    }

    @Test
    void waitsForAnUnreachableK8sdBeforeAnythingIsChanged() {
        UpgradeInput missing = new UpgradeInput.ConnectAttempted(new ConnectResult.NotReachable("no k8sd-proxy pod"));
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        assertThat(worker.signal(missing)).isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        worker.now = UpgradeTimeouts.UNREACHABLE;
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(missing);
        assertThat(worker.isOver()).isFalse();
        worker.now++;
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(missing);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.UNREACHABLE, "no k8sd-proxy pod"));
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards);
    }

    @Test
    void aRefusedTokenEndsItBeforeAnythingIsChanged() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.ConnectAttempted(new ConnectResult.ConnectionRefused(
                FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token")));
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token"));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards);
    }

    /** A typo in the name of a template must not quarantine machines. */
    @Test
    void whatAPersonMustCorrectDefersTheAttempt() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.ConnectAttempted(new ConnectResult.NotConfigured("there is no template")));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("there is no template"));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards);
    }

    @Test
    void remembersItsGuardsDuringAnotherInspection() {
        worker.runToCall();
        worker.signal(NOT_SENT);
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused")));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.GUARDING, null));
    }

    @Test
    void aForbiddingGuardedObjectDefersTheAttempt() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.GuardsSet("on hold"))).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("on hold"));
    }

    @Test
    void aFailedPreconditionDefersTheAttempt() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked("2 other workers are away")))
                .isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("2 other workers are away"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void anExpiredPermitIsWrittenAgain() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.now = UpgradeTimeouts.PERMIT;
        worker.commitReport();
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked(null)))
                .isEqualTo(say(AttemptStep.STARTING, null));
        worker.commitReport();
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked(null)))
                .isEqualTo(new UpgradeAction.CallUpgrade(TARGET, 2 * UpgradeTimeouts.PERMIT));
    }

    @Test
    void aCallThatMissesItsDeadlineNeedsAnotherPermit() {
        worker.runToCall();
        assertThat(worker.signal(NOT_SENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null))).isEqualTo(say(AttemptStep.STARTING, null));
    }

    @Test
    void aCallIsInTimeBeforeItsDeadline() {
        UpgradeAction.CallUpgrade call = new UpgradeAction.CallUpgrade(TARGET, 10);
        assertThat(call.isInTime(9)).isTrue();
        assertThat(call.isInTime(10)).isFalse();
    }

    @Test
    void noCallStartsAfterTheLeaseExpires() {
        worker.now = LEASE_EXPIRY - UpgradeTimeouts.CLOCK_MARGIN - 3;
        assertThat(worker.runToCall())
                .isEqualTo(new UpgradeAction.CallUpgrade(TARGET, LEASE_EXPIRY - UpgradeTimeouts.CLOCK_MARGIN));
        worker.now += 3;
        worker.signal(NOT_SENT);
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void aRenewedLeaseContinuesTheAttempt() {
        worker.begin(null);
        worker.now = LEASE_EXPIRY;
        worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.command(2 * LEASE_EXPIRY)));
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    @Test
    void aCancelBeforeTheCallEndsTheAttempt() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        assertThat(worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel())))
                .isEqualTo(new UpgradeAction.CleanUp());
        assertThat(worker.commitReport()).isSameAs(NOTHING);
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.calls()).isZero();
    }

    @Test
    void aCancelDuringTheCallChangesNothing() {
        worker.runToCall();
        assertThat(worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel())))
                .isSameAs(NOTHING);
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7"))))
                .isEqualTo(say(AttemptStep.REFRESHING, "7"));
    }

    @Test
    void pollsAChangeWhoseIdCannotBeWritten() {
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
        assertThat(worker.signal(new UpgradeInput.SessionEnded())).isEqualTo(new UpgradeAction.Wait(WaitReason.CHANGE));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.PollChange("7"));
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3100")))).isEqualTo(new UpgradeAction.CleanUp());
    }

    @Test
    void aPermitThatCannotBeWrittenDefersTheAttempt() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.signal(new UpgradeInput.SessionEnded())).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Deferred("the call permit was lost before the call"));
    }

    @Test
    void aCancelAfterTheCallDoesNotStopThePolling() {
        worker.runToChange();
        assertThat(worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel())))
                .isSameAs(NOTHING);
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(new UpgradeInput.NodeInspected(node("3100")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.Succeeded.class);
    }

    @Test
    void aCallThatDidNothingIsRepeatedWithANewPermit() {
        worker.runToCall();
        assertThat(worker.signal(NOT_SENT)).isEqualTo(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed())).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null))).isEqualTo(say(AttemptStep.STARTING, null));
        worker.commitReport();
        worker.signal(new UpgradeInput.PreconditionsChecked(null));
        assertThat(worker.calls()).isEqualTo(2);
    }

    @Test
    void aCallWithoutAnAnswerIsNotRepeated() {
        worker.runToCall();
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("connection reset"))))
                .isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.now = UpgradeTimeouts.TARGET + 1;
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.LATE_PROOF));
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.OutcomeUnknown.class);
        long said = worker.actions.stream()
                .filter(upgradeAction -> upgradeAction instanceof UpgradeAction.WriteReport)
                .count();
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        assertThat(worker.actions)
                .filteredOn(upgradeAction -> upgradeAction instanceof UpgradeAction.WriteReport)
                .hasSize((int) said);
        worker.signal(new UpgradeInput.NodeInspected(node("3100")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.Succeeded.class);
        assertThat(worker.calls()).isEqualTo(1);
    }

    @Test
    void aNodeWithNothingToDoMustBeAtItsTarget() {
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.NothingToDo()));
        worker.signal(new UpgradeInput.NodeInspected(node("3100")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
    }

    @Test
    void reportsATerminalRejectionAsItIs() {
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(
                new CallResult.CallRejected(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token"));
    }

    @Test
    void aDoneChangeIsNoProofForANodeWithItsOldRevision() {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(
                        new AttemptReport.Failed(
                                FailureClass.RETRYABLE,
                                FailureReason.NOT_AT_TARGET,
                                "change 7 is done, the node shows revision 3000 and version v1.33.0, the target is revision=3100"));
    }

    @Test
    void aForgottenChangeIsJudgedByTheNode() {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeForgotten()));
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).extracting("reason").isEqualTo(FailureReason.CHANGE_LOST);
    }

    @Test
    void theTargetTimeoutDoesNotRunWhileTheNodeIsUnreachable() {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.now = 10 * UpgradeTimeouts.READY;
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("the API is away")));
        worker.now += UpgradeTimeouts.TARGET;
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
    }

    @Test
    void aNodeThatIsNotReadyProvesNothing() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(new UpgradeInput.NodeInspected(
                        new NodeInspection.ObservedNode("3100", "v1.33.0", false, false))))
                .isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
    }

    @Test
    void aNodeThatIsNotReadyPastTheTimeoutHasFailed() {
        UpgradeInput unready =
                new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode("3100", "v1.33.0", false, false));
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.now = UpgradeTimeouts.READY;
        worker.signal(unready);
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.StepReached(AttemptStep.VERIFYING, "7"));
        worker.now++;
        worker.signal(unready);
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).extracting("reason").isEqualTo(FailureReason.NODE_NOT_READY);
    }

    static Stream<AttemptReport> whatMayHaveCalled() {
        return Stream.of(
                new AttemptReport.StepReached(AttemptStep.STARTING, null),
                new AttemptReport.StepReached(AttemptStep.VERIFYING, null));
    }

    /** The worker that had the permit may have used it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("whatMayHaveCalled")
    void onlyVerifiesAfterAnotherWorkersPermit(AttemptReport last) {
        assertThat(worker.begin(last)).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.OutcomeUnknown.class);
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards);
        assertThat(worker.calls()).isZero();
    }

    @Test
    void continuesWithTheChangeOfThePreviousOwner() {
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7")))
                .isEqualTo(new UpgradeAction.PollChange("7"));
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeFailed("change 7 is Error: no space left")));
        assertThat(worker.signal(new UpgradeInput.CleanedUp()))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "change 7 is Error: no space left")));
    }

    @Test
    void removesGuardsOfThePreviousOwner() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.GUARDING, null));
        assertThat(worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel())))
                .isEqualTo(new UpgradeAction.CleanUp());
    }

    @Test
    void startsAgainAfterAnEarlierAttempt() {
        assertThat(worker.begin(
                        new AttemptReport.StepReached(AttemptStep.STARTING, null), UpgradeProcedureHarness.ATTEMPT - 1))
                .isEqualTo(new UpgradeAction.InspectNode());
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    static Stream<AttemptReport> ends() {
        return Stream.of(
                new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0"),
                new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, ""),
                new AttemptReport.Cancelled(),
                new AttemptReport.LeaseExpired(),
                new AttemptReport.Deferred("on hold"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ends")
    void doesNothingForAnEndedAttempt(AttemptReport end) {
        assertThat(worker.begin(end)).isSameAs(NOTHING);
        assertThat(worker.isOver()).isTrue();
    }

    @Test
    void ignoresALaterAttempt() {
        assertThat(worker.begin(
                        new AttemptReport.StepReached(AttemptStep.STARTING, null), UpgradeProcedureHarness.ATTEMPT + 1))
                .isSameAs(NOTHING);
        assertThat(worker.isOver()).isTrue();
    }

    /** Late inputs never cause a call or an end. */
    @Test
    void lateInputsChangeNothing() {
        worker.runToChange();
        int before = worker.actions.size();
        for (UpgradeInput late : List.of(
                new UpgradeInput.NodeInspected(node("3100")),
                new UpgradeInput.NodeInspected(new NodeInspection.MachineGone()),
                new UpgradeInput.GuardsSet("on hold"),
                new UpgradeInput.PreconditionsChecked(null),
                new UpgradeInput.DrainStarted(),
                new UpgradeInput.CleanedUp(),
                NOT_SENT,
                new UpgradeInput.ReportCommitted(new AttemptReport.StepReached(AttemptStep.STARTING, null)))) {
            assertThat(worker.signal(late)).as("after %s", late).isSameAs(NOTHING);
        }
        assertThat(worker.actions).hasSize(before);
    }

    @Test
    void reportsGuardsThatTakeLong() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.DrainStarted())).isEqualTo(say(AttemptStep.DRAINING, null));
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.signal(
                        new UpgradeInput.ReportCommitted(new AttemptReport.StepReached(AttemptStep.GUARDING, null))))
                .as("the permit is not written yet")
                .isSameAs(NOTHING);
    }

    private static UpgradeAction say(AttemptStep step, @Nullable String changeId) {
        return new UpgradeAction.WriteReport(new AttemptReport.StepReached(step, changeId));
    }
}
