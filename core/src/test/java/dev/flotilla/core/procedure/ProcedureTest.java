package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.Worker.NOTHING;
import static dev.flotilla.core.procedure.Worker.NOT_AFTER;
import static dev.flotilla.core.procedure.Worker.TARGET;
import static dev.flotilla.core.procedure.Worker.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a worker does next, given what it was told and has seen. */
class ProcedureTest {
    private final Worker worker = new Worker();

    @Test
    void looksReachesGuardsIsLicensedJudgesCallsWatchesVerifiesAndUndoes() {
        assertThat(worker.begin(null)).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
        assertThat(worker.signal(Worker.REACHED)).isEqualTo(new Act.Guard());
        assertThat(worker.signal(new Signal.Guarded(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.written()).isEqualTo(new Act.Judge());
        assertThat(worker.signal(new Signal.Judged(null))).isEqualTo(new Act.Call(TARGET, Limits.LICENCE));
        assertThat(worker.signal(new Signal.Answered(new Answer.Accepted("7")))).isEqualTo(say(AttemptStep.REFRESHING, "7"));
        assertThat(worker.written()).isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        assertThat(worker.signal(new Signal.Polled(new ChangeSight.GoesOn("change 7 is Doing"))))
                .isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        assertThat(worker.signal(new Signal.Polled(new ChangeSight.Done()))).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(new Signal.Inspected(node("3100")))).isEqualTo(new Act.Undo());
        assertThat(worker.signal(new Signal.Undone()))
                .isEqualTo(new Act.Say(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0")));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.calls()).isEqualTo(1);
    }

    @Test
    void doesNotCallANodeThatIsAtItsTarget() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3100")));
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
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
    void doesNotCallANodeThatShowsANewerVersionUnlessItMay(
            String shown, String target, @Nullable String expected, String then) {
        WorkerCommand.UpgradeMachine command = Worker.command(MachineRole.WORKER, UpgradeTarget.parse(target), expected, null);
        Signal seen = new Signal.Inspected(new Sight.Node("3400", shown, true, false));
        Worker may = new Worker(command);
        may.begin(null);
        assertThat(may.signal(seen)).isEqualTo(new Act.Reach());
        Worker mayNot = new Worker(command.withoutDowngrade());
        mayNot.begin(null);
        if (then.equals("goes")) {
            assertThat(mayNot.signal(seen)).isEqualTo(new Act.Reach());
        } else {
            mayNot.signal(seen);
            assertThat(mayNot.said())
                    .isEqualTo(new AttemptReport.Deferred("the node shows " + shown + ", which is newer than " + target
                            + ", and may not be downgraded"));
        }
    }

    @Test
    void waitsUntilANodeHasEndedAChangeOfItsOwnAndSaysSoOnce() {
        Signal busy = new Signal.Inspected(new Sight.Node("3000", "v1.32.0", true, true));
        worker.begin(null);
        assertThat(worker.signal(busy)).isEqualTo(new Act.Rest(Pause.IDLE_NODE));
        worker.signal(new Signal.Rested());
        assertThat(worker.signal(busy)).isEqualTo(new Act.Rest(Pause.IDLE_NODE));
        assertThat(worker.acts).filteredOn(act -> act instanceof Act.Say).hasSize(1);
        worker.signal(new Signal.Rested());
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }

    @Test
    void givesUpOnANodeThatStaysDarkBeforeTheCall() {
        Signal dark = new Signal.Inspected(new Sight.Dark("connection refused"));
        worker.begin(null);
        worker.signal(dark);
        worker.now = Limits.DARK;
        worker.signal(dark);
        assertThat(worker.isOver()).isFalse();
        worker.now++;
        worker.signal(dark);
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, "connection refused"));
    }

    @Test
    void aNodeThatAnswersInBetweenHasNotBeenDark() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(new Sight.Dark("connection refused")));
        worker.now = Limits.DARK;
        worker.signal(new Signal.Inspected(new Sight.Node("3000", "v1.32.0", true, true)));
        worker.now++;
        worker.signal(new Signal.Inspected(new Sight.Dark("connection refused")));
        assertThat(worker.isOver()).isFalse();
    }

    @Test
    void aNodeWithoutAWayToItIsWaitedForBeforeAnythingIsDone() {
        Signal missing = new Signal.Reached(new Contact.Missing("no k8sd-proxy pod"));
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        assertThat(worker.signal(missing)).isEqualTo(new Act.Rest(Pause.IDLE_NODE));
        worker.now = Limits.DARK;
        worker.signal(new Signal.Rested());
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(missing);
        assertThat(worker.isOver()).isFalse();
        worker.now++;
        worker.signal(new Signal.Rested());
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(missing);
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, "no k8sd-proxy pod"));
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Guard);
    }

    @Test
    void aTokenThatIsNotTakenEndsItBeforeAnythingIsDone() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(new Signal.Reached(
                new Contact.Refused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token")));
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token"));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Guard);
    }

    @Test
    void whileItIsLookedAtAgainItsGuardsAreRemembered() {
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.NotBegun("k8sd restarts")));
        worker.signal(new Signal.Rested());
        worker.signal(new Signal.Inspected(new Sight.Dark("connection refused")));
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.GUARDING, null));
    }

    @Test
    void whatTheGuardedObjectForbidsIsNotNow() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        assertThat(worker.signal(new Signal.Guarded("on hold"))).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("on hold"));
    }

    @Test
    void whatTheClusterForbidsRightBeforeTheCallIsNotNow() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        worker.written();
        assertThat(worker.signal(new Signal.Judged("2 other workers are away"))).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("2 other workers are away"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void aLicenceThatTookTooLongIsAskedForAgain() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        worker.now = Limits.LICENCE;
        worker.written();
        assertThat(worker.signal(new Signal.Judged(null))).isEqualTo(say(AttemptStep.STARTING, null));
        worker.written();
        assertThat(worker.signal(new Signal.Judged(null))).isEqualTo(new Act.Call(TARGET, 2 * Limits.LICENCE));
    }

    @Test
    void aCallThatWasNotBegunInTimeIsJudgedAgain() {
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Held())).isEqualTo(new Act.Judge());
        worker.now = Limits.LICENCE;
        assertThat(worker.signal(new Signal.Judged(null))).isEqualTo(say(AttemptStep.STARTING, null));
    }

    @Test
    void noCallMayBeginAfterTheCommandsEnd() {
        worker.now = NOT_AFTER - Limits.CLOCK_MARGIN - 3;
        assertThat(worker.upToTheCall()).isEqualTo(new Act.Call(TARGET, NOT_AFTER - Limits.CLOCK_MARGIN));
        worker.now += 3;
        worker.signal(new Signal.Held());
        worker.signal(new Signal.Judged(null));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void aRenewedCommandLivesOn() {
        worker.begin(null);
        worker.now = NOT_AFTER;
        worker.signal(new Signal.Commanded(Worker.command(2 * NOT_AFTER)));
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }

    @Test
    void aCommandTakenBackBeforeTheCallEndsIt() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        assertThat(worker.signal(new Signal.Commanded(Worker.cancel()))).isEqualTo(new Act.Undo());
        assertThat(worker.written()).isSameAs(NOTHING);
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.calls()).isZero();
    }

    @Test
    void aCommandTakenBackWhileTheCallIsOutChangesNothing() {
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Commanded(Worker.cancel()))).isSameAs(NOTHING);
        assertThat(worker.signal(new Signal.Answered(new Answer.Accepted("7")))).isEqualTo(say(AttemptStep.REFRESHING, "7"));
    }

    @Test
    void aChangeThatCannotBeWrittenDownIsWatchedAllTheSame() {
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.Accepted("7")));
        assertThat(worker.signal(new Signal.SessionEnded())).isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        assertThat(worker.signal(new Signal.Inspected(node("3100")))).isEqualTo(new Act.Undo());
    }

    @Test
    void aLicenceThatCannotBeWrittenDownIsNotWaitedForWithGuardsOnTheMachine() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        assertThat(worker.signal(new Signal.Guarded(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.signal(new Signal.SessionEnded())).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("the licence was lost before the call"));
    }

    @Test
    void aCommandTakenBackAfterTheCallIsWatchedToItsEnd() {
        worker.upToTheChange();
        assertThat(worker.signal(new Signal.Commanded(Worker.cancel()))).isSameAs(NOTHING);
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(new Signal.Inspected(node("3100")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isInstanceOf(AttemptReport.Succeeded.class);
    }

    @Test
    void aCallThatWasCertainlyNotTakenMayBeMadeAgainUnderANewLicence() {
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Answered(new Answer.NotBegun("k8sd restarts"))))
                .isEqualTo(new Act.Rest(Pause.IDLE_NODE));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Inspect());
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        assertThat(worker.signal(new Signal.Guarded(null))).isEqualTo(say(AttemptStep.STARTING, null));
        worker.written();
        worker.signal(new Signal.Judged(null));
        assertThat(worker.calls()).isEqualTo(2);
    }

    @Test
    void aCallWithoutAnAnswerIsTheLast() {
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Answered(new Answer.None("connection reset"))))
                .isEqualTo(new Act.Inspect());
        worker.signal(new Signal.Inspected(node("3000")));
        worker.now = Limits.TARGET + 1;
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Rest(Pause.LATE_PROOF));
        assertThat(worker.said()).isInstanceOf(AttemptReport.OutcomeUnknown.class);
        long said = worker.acts.stream().filter(act -> act instanceof Act.Say).count();
        worker.signal(new Signal.Rested());
        worker.signal(new Signal.Inspected(node("3000")));
        assertThat(worker.acts).filteredOn(act -> act instanceof Act.Say).hasSize((int) said);
        worker.signal(new Signal.Inspected(node("3100")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isInstanceOf(AttemptReport.Succeeded.class);
        assertThat(worker.calls()).isEqualTo(1);
    }

    @Test
    void aNodeThatHadNothingToDoMustShowAsMuch() {
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.NothingToDo()));
        worker.signal(new Signal.Inspected(node("3100")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
    }

    @Test
    void whatIsRefusedForGoodIsToldAsItIs() {
        worker.upToTheCall();
        worker.signal(new Signal.Answered(
                new Answer.Refused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "invalid token"));
    }

    @Test
    void doneIsNotBelievedOfANodeThatShowsItsOldRevision() {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(new Signal.Inspected(node("3000")));
        worker.now = Limits.TARGET + 1;
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.NOT_AT_TARGET,
                        "change 7 is done, the node shows revision 3000 and version v1.33.0, wanted is revision=3100"));
    }

    @Test
    void aChangeThatWasForgottenIsJudgedByTheNode() {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Lost()));
        worker.signal(new Signal.Inspected(node("3000")));
        worker.now = Limits.TARGET + 1;
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).extracting("reason").isEqualTo(FailureReason.CHANGE_LOST);
    }

    @Test
    void patienceDoesNotRunWhileTheNodeIsDark() {
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.now = 10 * Limits.READY;
        worker.signal(new Signal.Inspected(new Sight.Dark("the API is away")));
        worker.now += Limits.TARGET;
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Rest(Pause.PROOF));
    }

    @Test
    void aNodeThatIsNotReadyProvesNothing() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(new Signal.Inspected(new Sight.Node("3100", "v1.33.0", false, false))))
                .isEqualTo(new Act.Rest(Pause.PROOF));
    }

    @Test
    void aNodeThatIsNotReadyLongAfterHasFailed() {
        Signal unready = new Signal.Inspected(new Sight.Node("3100", "v1.33.0", false, false));
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.now = Limits.READY;
        worker.signal(unready);
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.VERIFYING, "7"));
        worker.now++;
        worker.signal(unready);
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).extracting("reason").isEqualTo(FailureReason.NODE_NOT_READY);
    }

    static Stream<AttemptReport> whatMayHaveCalled() {
        return Stream.of(new AttemptReport.StepReached(AttemptStep.STARTING, null), new AttemptReport.StepReached(AttemptStep.VERIFYING, null));
    }

    /** Whoever had the licence may have used it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("whatMayHaveCalled")
    void afterSomebodysLicenceOnlyVerifies(AttemptReport last) {
        assertThat(worker.begin(last)).isEqualTo(new Act.Inspect());
        worker.signal(new Signal.Inspected(node("3000")));
        worker.now = Limits.TARGET + 1;
        worker.signal(new Signal.Inspected(node("3000")));
        assertThat(worker.said()).isInstanceOf(AttemptReport.OutcomeUnknown.class);
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Guard);
        assertThat(worker.calls()).isZero();
    }

    @Test
    void goesOnWithTheChangeOfTheLastOwner() {
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"))).isEqualTo(new Act.Poll("7"));
        worker.signal(new Signal.Polled(new ChangeSight.Failed("change 7 is Error: no space left")));
        assertThat(worker.signal(new Signal.Undone()))
                .isEqualTo(new Act.Say(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.REFRESH_ERROR, "change 7 is Error: no space left")));
    }

    @Test
    void guardsThatTheLastOwnerSetAreUndone() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.GUARDING, null));
        assertThat(worker.signal(new Signal.Commanded(Worker.cancel()))).isEqualTo(new Act.Undo());
    }

    @Test
    void beginsAnewAfterAnEarlierAttempt() {
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null), Worker.ATTEMPT - 1))
                .isEqualTo(new Act.Inspect());
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
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
    void doesNothingMoreForAnAttemptThatHasEnded(AttemptReport end) {
        assertThat(worker.begin(end)).isSameAs(NOTHING);
        assertThat(worker.isOver()).isTrue();
    }

    @Test
    void leavesALaterAttemptAlone() {
        assertThat(worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null), Worker.ATTEMPT + 1))
                .isSameAs(NOTHING);
        assertThat(worker.isOver()).isTrue();
    }

    /** Whatever a slow shell still says of what was asked for earlier, nothing is called or ended by it. */
    @Test
    void lateSignalsChangeNothing() {
        worker.upToTheChange();
        int before = worker.acts.size();
        for (Signal late : List.of(
                new Signal.Inspected(node("3100")),
                new Signal.Inspected(new Sight.Gone()),
                new Signal.Guarded("on hold"),
                new Signal.Judged(null),
                new Signal.Held(),
                new Signal.Drains(),
                new Signal.Undone(),
                new Signal.Answered(new Answer.NotBegun("k8sd restarts")),
                new Signal.Written(new AttemptReport.StepReached(AttemptStep.STARTING, null)))) {
            assertThat(worker.signal(late)).as("after %s", late).isSameAs(NOTHING);
        }
        assertThat(worker.acts).hasSize(before);
    }

    @Test
    void guardsThatTakeLongAreWorthAWord() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        assertThat(worker.signal(new Signal.Drains())).isEqualTo(say(AttemptStep.DRAINING, null));
        assertThat(worker.signal(new Signal.Guarded(null))).isEqualTo(say(AttemptStep.STARTING, null));
        assertThat(worker.signal(new Signal.Written(new AttemptReport.StepReached(AttemptStep.GUARDING, null))))
                .as("the licence is not written yet")
                .isSameAs(NOTHING);
    }

    private static Act say(AttemptStep step, @Nullable String changeId) {
        return new Act.Say(new AttemptReport.StepReached(step, changeId));
    }
}
