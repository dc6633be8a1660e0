package dev.flotilla.core.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a worker makes of what it hears and sees after its call. */
class AftermathTest {
    private static final UpgradeTarget CHANNEL = new UpgradeTarget.Channel("1.33-classic/stable");
    private static final UpgradeTarget PATH = new UpgradeTarget.LocalPath("/opt/k8s.snap");
    private static final Signal DONE = new Signal.Polled(new ChangeSight.Done());
    private static final Signal SILENT = new Signal.Polled(new ChangeSight.Silent("connection refused"));
    private static final Signal WAITS_FOR_PEERS = new Signal.Polled(new ChangeSight.AwaitsPeers(
            "Database is waiting for an upgrade: 2 cluster members have not yet received the update"));

    private static Signal shows(@Nullable String revision, String version) {
        return new Signal.Inspected(new Sight.Node(revision, version, true, false));
    }

    private static Worker changed(WorkerCommand command) {
        Worker worker = new Worker(command);
        worker.upToTheChange();
        return worker;
    }

    private static Worker member(UpgradeTarget target, @Nullable String version) {
        return changed(Worker.command(MachineRole.CONTROL_PLANE, target, version, null));
    }

    private static void succeeded(Worker worker, SuccessProof how, @Nullable String revision, String version) {
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(how, revision, version));
    }

    private static void failed(Worker worker, FailureReason reason, String text) {
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text));
    }

    @Test
    void aLocalFileIsProvenByANewRevisionAfterItsChange() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, PATH, null, null));
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7", "3000"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(shows("x1", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "x1", "v1.33.0");
    }

    @Test
    void aLocalFileIsProvenAfterAnotherWorkerHasCalled() {
        Worker worker = new Worker(Worker.command(MachineRole.WORKER, PATH, null, null));
        worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7", "x1"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("x1", "v1.33.0"))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(shows("x2", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "x2", "v1.33.0");
    }

    @Test
    void aLocalFileOfAnotherVersionThanStatedHasFailed() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, PATH, "1.33.2", null));
        worker.signal(DONE);
        worker.signal(shows("x1", "v1.33.1"));
        worker.now = Limits.TARGET + 1;
        worker.signal(shows("x1", "v1.33.1"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision x1 and version v1.33.1, wanted is localPath=/opt/k8s.snap,"
                        + " version 1.33.2");
    }

    @Test
    void aStatedVersionIsWrittenWithoutTheKubeletsLetter() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, Worker.TARGET, "1.33.2", null));
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.2"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.2");
    }

    @Test
    void aChannelWhoseRevisionIsKnownIsProvenByThatAlone() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, CHANNEL, null, "3100"));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3101", "v1.33.1"))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.now = Limits.TARGET + 1;
        worker.signal(shows("3101", "v1.33.1"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision 3101 and version v1.33.1, wanted is"
                        + " channel=1.33-classic/stable, which is revision 3100");
    }

    @Test
    void aChannelIsNotLearnedFromWhatTheNodeShowedBefore() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(DONE);
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(shows("3001", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3001", "v1.33.0");
    }

    @Test
    void aChannelIsNotBelievedToLeadToTheSameRevisionForTheNextCallTells() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(DONE);
        worker.signal(shows("3000", "v1.33.0"));
        worker.now = Limits.TARGET + 1;
        worker.signal(shows("3000", "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows revision 3000 and version v1.33.0, wanted is"
                        + " channel=1.33-classic/stable");
    }

    @Test
    void aTrackThatIsNoVersionSaysNothingOfIt() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, new UpgradeTarget.Channel("latest/edge"), null, null));
        worker.signal(DONE);
        worker.signal(shows("3200", "v1.34.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3200", "v1.34.0");
    }

    @Test
    void aWorkerWhoseK8sdSaysNothingOfWhatRunsHasNotProvenIt() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, Worker.TARGET, "1.33.0", null));
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = Limits.TARGET + 1;
        worker.signal(shows(null, "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, wanted is revision=3100, version"
                        + " 1.33.0");
    }

    @Test
    void aMemberThatWaitsForItsPeersSucceedsByItsKubelet() {
        Worker worker = member(CHANNEL, null);
        assertThat(worker.signal(WAITS_FOR_PEERS)).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(shows(null, "v1.32.0")))
                .as("its kubelet is not there yet")
                .isEqualTo(new Act.Rest(Pause.CHANGE));
        worker.signal(new Signal.Rested());
        worker.signal(WAITS_FOR_PEERS);
        worker.signal(shows(null, "v1.33.0"));
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.33.0");
    }

    @Test
    void aMemberThatShowsNothingIsAskedWhetherItWaits() {
        Worker worker = member(Worker.TARGET, null);
        worker.signal(DONE);
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new Act.Poll("7"));
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(new Signal.Rested());
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new Act.Poll("7"));
        worker.signal(WAITS_FOR_PEERS);
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.33.0");
    }

    @Test
    void aMemberThatShowsNothingAndDoesNotWaitHasFailed() {
        Worker worker = member(Worker.TARGET, null);
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = Limits.TARGET + 1;
        worker.signal(DONE);
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, wanted is revision=3100");
    }

    @Test
    void aWorkerIsNeverBelievedToWaitForPeers() {
        Worker worker = changed(Worker.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(shows(null, "v1.33.0"))).isEqualTo(new Act.Rest(Pause.CHANGE));
    }

    @Test
    void theLastMemberSucceedsWhenAllMembersShowWhatRuns() {
        Worker worker = member(Worker.TARGET, null);
        Sight alone = new Sight.Node("3100", "v1.33.0", true, false, "cp-1");
        worker.signal(DONE);
        worker.signal(new Signal.Inspected(alone));
        worker.now = Limits.PEERS;
        assertThat(worker.signal(new Signal.Inspected(alone))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void theLastMemberFailsWhereAnotherNeverShowsWhatRuns() {
        Worker worker = member(Worker.TARGET, null);
        Sight alone = new Sight.Node("3100", "v1.33.0", true, false, "cp-1");
        worker.signal(DONE);
        worker.signal(new Signal.Inspected(alone));
        worker.now = Limits.PEERS + 1;
        worker.signal(new Signal.Inspected(alone));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "the node shows 3100, and the k8sd of cp-1 does not show what runs there");
    }

    @Test
    void anApiThatARefreshTakesAwayIsToldOnceAndWaitedFor() {
        Worker worker = member(Worker.TARGET, null);
        Signal away = new Signal.Inspected(new Sight.Dark("the cluster's API does not answer"));
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Rest(Pause.CHANGE));
        worker.now = Limits.SILENCE_LASTS + 1;
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(away)).isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.API_AWAY, "7"));
        worker.signal(SILENT);
        worker.signal(away);
        assertThat(worker.acts).filteredOn(act -> act instanceof Act.Say).hasSize(3);
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void anApiThatStaysAwayLeavesTheOutcomeUnknownAndMayStillComeBack() {
        Worker worker = member(Worker.TARGET, null);
        worker.signal(SILENT);
        worker.now = Limits.SILENCE;
        worker.signal(SILENT);
        worker.signal(new Signal.Inspected(new Sight.Dark("the cluster's API does not answer")));
        worker.now = Limits.SILENCE + 1;
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Rest(Pause.LATE_PROOF));
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "nothing was heard of the change for long: the cluster's API does not answer", "7", null));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Inspect());
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void aChangeThatWaitsForARestartIsToldOf() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        Signal waits = new Signal.Polled(new ChangeSight.Waits("change 7 is Wait"));
        worker.signal(waits);
        worker.now = Limits.WAIT + 1;
        assertThat(worker.signal(waits)).isEqualTo(new Act.Rest(Pause.LATE_PROOF));
        assertThat(worker.said()).isEqualTo(new AttemptReport.OutcomeUnknown("change 7 is Wait", "7", null));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        worker.signal(DONE);
        worker.signal(shows("3100", "v1.33.0"));
        succeeded(worker, SuccessProof.UPGRADED, "3100", "v1.33.0");
    }

    @Test
    void aChangeThatDoesNotEndIsToldOf() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        worker.now = Limits.CHANGE + 1;
        worker.signal(new Signal.Polled(new ChangeSight.GoesOn("change 7 is Doing")));
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.OutcomeUnknown("the change does not end: change 7 is Doing", "7", null));
    }

    @Test
    void aNodeThatIsNotSeenForLongAfterItsChangeIsToldOf() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        Signal dark = new Signal.Inspected(new Sight.Dark("the cluster's API does not answer"));
        worker.signal(DONE);
        worker.signal(dark);
        worker.now = Limits.SILENCE + 1;
        assertThat(worker.signal(dark)).isEqualTo(new Act.Rest(Pause.LATE_PROOF));
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the node has not been seen for long: the cluster's API does not answer", "7", null));
    }

    @Test
    void whoTakesUpAnUnknownOutcomeAsksForItsChangeAndSaysNothingTwice() {
        Worker worker = new Worker();
        assertThat(worker.begin(new AttemptReport.OutcomeUnknown("silence", "7", null)))
                .isEqualTo(new Act.Inspect());
        assertThat(worker.signal(shows("3000", "v1.32.0"))).isEqualTo(new Act.Rest(Pause.LATE_PROOF));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        worker.signal(new Signal.Polled(new ChangeSight.Failed("change 7 is Error: no space left")));
        failed(worker, FailureReason.REFRESH_ERROR, "change 7 is Error: no space left");
        assertThat(worker.acts).filteredOn(act -> act instanceof Act.Say).hasSize(1);
    }

    @Test
    void anotherChangeThatNeverEndsFailsTheAttempt() {
        Worker worker = new Worker();
        Signal busy = new Signal.Answered(new Answer.Busy("exit status 10"));
        worker.upToTheCall();
        worker.signal(busy);
        worker.now = Limits.BUSY + 1;
        worker.signal(new Signal.Commanded(Worker.command(10 * Worker.NOT_AFTER)));
        again(worker);
        worker.signal(busy);
        failed(worker, FailureReason.NODE_BUSY, "exit status 10");
        assertThat(worker.calls()).isEqualTo(2);
    }

    @Test
    void aK8sdThatTakesNoRequestsFailsTheAttempt() {
        Worker worker = new Worker();
        Signal closed = new Signal.Answered(new Answer.NotBegun("Database is offline"));
        worker.upToTheCall();
        worker.signal(closed);
        worker.now = Limits.DARK + 1;
        again(worker);
        worker.signal(closed);
        failed(worker, FailureReason.UNREACHABLE, "Database is offline");
    }

    private static void again(Worker worker) {
        worker.signal(new Signal.Rested());
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        worker.written();
        worker.signal(new Signal.Judged(null));
    }

    @Test
    void aLicenceThatIsNotUsedIsGivenBackAtAHandOver() {
        Worker worker = new Worker();
        worker.begin(null);
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        worker.written();
        assertThat(worker.isSettled()).isFalse();
        assertThat(worker.signal(new Signal.Leaving())).isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.GUARDING, null)));
        assertThat(worker.isSettled()).isTrue();
        assertThat(worker.signal(new Signal.Judged(null))).isSameAs(Worker.NOTHING);
    }

    @Test
    void aCallThatIsOutIsNotGivenBackAtAHandOver() {
        Worker worker = new Worker();
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Leaving())).isSameAs(Worker.NOTHING);
        assertThat(worker.isSettled()).isFalse();
        worker.signal(new Signal.Answered(new Answer.Accepted("7")));
        assertThat(worker.isSettled()).isFalse();
        worker.written();
        assertThat(worker.isSettled()).isTrue();
    }

    @Test
    void aCallThatWasRefusedIsGivenBackAtAHandOver() {
        Worker worker = new Worker();
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.Busy("exit status 10")));
        assertThat(worker.isSettled()).as("the log has a licence").isFalse();
        assertThat(worker.signal(new Signal.Leaving())).isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.GUARDING, null)));
        assertThat(worker.isSettled()).isTrue();
    }

    @Test
    void aNodeThatIsSeenWhileItsChangeIsSilentIsNoApiThatIsAway() {
        Worker worker = member(Worker.TARGET, null);
        worker.signal(SILENT);
        worker.now = Limits.SILENCE_LASTS;
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Rest(Pause.CHANGE));
        worker.now++;
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(shows("3000", "v1.32.0"))).isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
        worker.now = Limits.SILENCE + 1;
        worker.signal(SILENT);
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "nothing was heard of the change for long: connection refused", "7", null));
    }

    @Test
    void aWorkersNodeThatIsDarkSaysNothingOfTheApi() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        worker.signal(SILENT);
        worker.now = Limits.SILENCE_LASTS + 1;
        worker.signal(SILENT);
        assertThat(worker.signal(new Signal.Inspected(new Sight.Dark("the cluster's API does not answer"))))
                .isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.said()).isEqualTo(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
    }

    @Test
    void aMemberThatWaitsForItsPeersAndIsNotSeenIsWatchedOn() {
        Worker worker = member(CHANNEL, null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(new Signal.Inspected(new Sight.Dark("connection refused"))))
                .isEqualTo(new Act.Rest(Pause.CHANGE));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Poll("7"));
    }

    @Test
    void aMemberThatWaitsForItsPeersAndIsNotReadyHasNotSucceeded() {
        Worker worker = member(CHANNEL, null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(new Signal.Inspected(new Sight.Node(null, "v1.33.0", false, false))))
                .isEqualTo(new Act.Rest(Pause.CHANGE));
    }

    @Test
    void whereNobodySaysWhichVersionATrackIsAMemberThatShowsARevisionDoesNotWait() {
        Worker worker = member(new UpgradeTarget.Channel("latest/edge"), null);
        worker.signal(WAITS_FOR_PEERS);
        assertThat(worker.signal(shows("3200", "v1.34.0"))).isEqualTo(new Act.Rest(Pause.CHANGE));
        worker.signal(new Signal.Rested());
        worker.signal(WAITS_FOR_PEERS);
        worker.signal(shows(null, "v1.34.0"));
        succeeded(worker, SuccessProof.AWAITS_PEERS, null, "v1.34.0");
    }

    @Test
    void whatAnotherChangeIsAtWorkOnProvesNothing() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        Signal busy = new Signal.Inspected(new Sight.Node("3100", "v1.33.0", true, true));
        worker.signal(DONE);
        assertThat(worker.signal(busy)).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.now = Limits.SILENCE;
        assertThat(worker.signal(busy)).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.now++;
        worker.signal(busy);
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.OutcomeUnknown(
                        "the node has not been seen for long: another change is at work on it", "7", null));
    }

    @Test
    void aMachineThatIsGoneAfterItsChangeIsToldOf() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        worker.signal(DONE);
        worker.signal(new Signal.Inspected(new Sight.Gone()));
        worker.now = Limits.SILENCE + 1;
        worker.signal(new Signal.Inspected(new Sight.Gone()));
        assertThat(worker.said())
                .isEqualTo(
                        new AttemptReport.OutcomeUnknown("the node has not been seen for long: no such machine", "7", null));
    }

    @Test
    void aNodeThatSaysThereIsNothingToDoAndIsElsewhereHasFailed() {
        Worker worker = new Worker(Worker.command(MachineRole.CONTROL_PLANE, Worker.TARGET, "1.33.0", null));
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.NothingToDo()));
        assertThat(worker.signal(shows(null, "v1.33.0")))
                .as("there was no change after which it might wait for peers")
                .isEqualTo(new Act.Rest(Pause.PROOF));
        worker.now = Limits.TARGET;
        assertThat(worker.signal(shows("3000", "v1.33.0"))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.now++;
        worker.signal(shows("3000", "v1.33.0"));
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "the node says that there is nothing to do, the node shows revision 3000 and version v1.33.0, wanted is"
                        + " revision=3100, version 1.33.0");
    }

    @Test
    void aChannelThatHadNothingToDoIsLearnedFromWhatTheNodeShows() {
        Worker worker = new Worker(Worker.command(MachineRole.WORKER, CHANNEL, null, null));
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.NothingToDo()));
        worker.signal(shows("3000", "v1.33.0"));
        succeeded(worker, SuccessProof.UNCHANGED, "3000", "v1.33.0");
    }

    @Test
    void aMemberThatIsAskedWhetherItWaitsHasAsLongAsARestartTakes() {
        Worker worker = member(Worker.TARGET, null);
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now = Limits.READY;
        assertThat(worker.signal(SILENT)).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(new Signal.Rested());
        worker.signal(shows(null, "v1.33.0"));
        worker.now++;
        worker.signal(SILENT);
        failed(
                worker,
                FailureReason.NOT_AT_TARGET,
                "change 7 is done, the node shows no revision and version v1.33.0, wanted is revision=3100");
    }

    @Test
    void aMemberThatDoesNotWaitHasAsLongAsAnyNode() {
        Worker worker = member(Worker.TARGET, null);
        worker.now = 40_000;
        worker.signal(DONE);
        worker.signal(shows(null, "v1.33.0"));
        worker.now += Limits.TARGET;
        assertThat(worker.signal(DONE)).isEqualTo(new Act.Rest(Pause.PROOF));
    }

    @Test
    void aChangeThatWasForgottenMeanwhileIsNoAnswer() {
        Worker worker = new Worker();
        worker.begin(new AttemptReport.OutcomeUnknown("silence", "7", null));
        worker.signal(shows("3000", "v1.32.0"));
        worker.signal(new Signal.Rested());
        assertThat(worker.signal(new Signal.Polled(new ChangeSight.Lost()))).isEqualTo(new Act.Inspect());
    }

    @Test
    void anUnknownOutcomeWithoutAChangeIsLookedFor() {
        Worker worker = new Worker();
        worker.begin(new AttemptReport.OutcomeUnknown("silence", null, null));
        worker.signal(shows("3000", "v1.32.0"));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Inspect());
        assertThat(worker.signal(DONE)).isSameAs(Worker.NOTHING);
    }

    @Test
    void aNodeThatIsSeenInBetweenHasNotBeenDarkForLong() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        Signal dark = new Signal.Inspected(new Sight.Dark("connection refused"));
        worker.signal(DONE);
        worker.signal(dark);
        worker.now = Limits.SILENCE;
        worker.signal(dark);
        worker.signal(shows("3000", "v1.32.0"));
        worker.now++;
        assertThat(worker.signal(dark)).isEqualTo(new Act.Rest(Pause.PROOF));
    }

    @Test
    void aChangeThatWaitsAndGoesOnAgainHasAsLongAsAnyChange() {
        Worker worker = changed(Worker.command(Worker.NOT_AFTER));
        Signal waits = new Signal.Polled(new ChangeSight.Waits("change 7 is Wait"));
        worker.signal(waits);
        worker.now = Limits.WAIT;
        assertThat(worker.signal(waits)).isEqualTo(new Act.Rest(Pause.CHANGE));
        worker.signal(new Signal.Polled(new ChangeSight.GoesOn("change 7 is Doing")));
        worker.now = Limits.CHANGE;
        assertThat(worker.signal(new Signal.Polled(new ChangeSight.GoesOn("change 7 is Doing"))))
                .isEqualTo(new Act.Rest(Pause.CHANGE));
    }

    @Test
    void oneHindranceAfterAnotherIsBorneAnew() {
        Worker worker = new Worker();
        worker.upToTheCall();
        worker.signal(new Signal.Answered(new Answer.NotBegun("Database is offline")));
        worker.now = Limits.DARK;
        again(worker);
        worker.signal(new Signal.Answered(new Answer.NotBegun("Database is offline")));
        assertThat(worker.isOver()).isFalse();
        again(worker);
        worker.signal(new Signal.Answered(new Answer.Busy("exit status 10")));
        worker.now++;
        again(worker);
        assertThat(worker.signal(new Signal.Answered(new Answer.NotBegun("Database is offline"))))
                .isEqualTo(new Act.Rest(Pause.IDLE_NODE));
    }
}
