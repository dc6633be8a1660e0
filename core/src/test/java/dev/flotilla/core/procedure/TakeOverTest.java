package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.Worker.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker does that takes an attempt up, by what was said last of it and by its command as it stands now. */
class TakeOverTest {
    private static Signal shows(@Nullable String revision, @Nullable String version, boolean ready) {
        return new Signal.Inspected(new Sight.Node(revision, version, ready, false));
    }

    @Test
    void knowsWhichAttemptItIs() {
        assertThat(new Procedure(Worker.cancel(), Caution.GOOD).attempt()).isEqualTo(Worker.ATTEMPT);
    }

    @Test
    void aCommandThatWasTakenBackMeanwhileEndsItBeforeAnythingIsLookedAt() {
        Worker worker = new Worker(Worker.cancel());
        worker.begin(null);
        assertThat(worker.said()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.isOver()).isTrue();
    }

    @Test
    void aCommandThatRanOutMeanwhileEndsItBeforeAnythingIsLookedAt() {
        Worker worker = new Worker();
        worker.now = Worker.NOT_AFTER - Limits.CLOCK_MARGIN;
        worker.begin(null);
        assertThat(worker.said()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void aMomentBeforeItsCommandRunsOutItStillLooks() {
        Worker worker = new Worker();
        worker.now = Worker.NOT_AFTER - Limits.CLOCK_MARGIN - 1;
        assertThat(worker.begin(null)).isEqualTo(new Act.Inspect());
        worker.now++;
        worker.signal(new Signal.Inspected(node("3000")));
        assertThat(worker.said()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void aCommandThatRunsOutWhileTheNodeIsReachedEndsIt() {
        Worker worker = new Worker();
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.now = Worker.NOT_AFTER;
        worker.signal(Worker.REACHED);
        assertThat(worker.said()).isEqualTo(new AttemptReport.LeaseExpired());
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Guard);
    }

    @Test
    void aMachineThatIsNotThereIsNotNow() {
        Worker worker = new Worker();
        worker.begin(null);
        worker.signal(new Signal.Inspected(new Sight.Gone()));
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("no such machine"));
    }

    @Test
    void aNodeAtItsTargetThatIsNotReadyIsNoSuccess() {
        Worker worker = new Worker();
        worker.begin(null);
        assertThat(worker.signal(shows("3100", "v1.33.0", false))).isEqualTo(new Act.Reach());
    }

    /** Before the guards nothing was done to the machine, so that nothing is to be undone. */
    @Test
    void nothingIsUndoneWhereNoGuardsWereSet() {
        Worker worker = new Worker();
        worker.begin(new AttemptReport.StepReached(AttemptStep.PREFLIGHT, null));
        worker.signal(new Signal.Commanded(Worker.cancel()));
        assertThat(worker.said()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Undo);
    }

    @ParameterizedTest
    @EnumSource(
            value = AttemptStep.class,
            names = {"REFRESHING", "API_AWAY"})
    void aChangeWhoseIdNobodyHasWrittenIsAskedForAllTheSame(AttemptStep step) {
        assertThat(new Worker().begin(new AttemptReport.StepReached(step, null))).isEqualTo(new Act.Poll(""));
    }

    @ParameterizedTest
    @EnumSource(
            value = AttemptStep.class,
            names = {"VERIFYING", "UNCORDONING"})
    void aChangeThatWasDoneIsProvenByTheNode(AttemptStep step) {
        Worker worker = new Worker();
        assertThat(worker.begin(new AttemptReport.StepReached(step, "7"))).isEqualTo(new Act.Inspect());
        worker.signal(shows("3100", "v1.33.0", true));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0"));
    }

    @Test
    void aSessionThatEndsBeforeItIsJudgedGivesTheMachineBack() {
        Worker worker = new Worker();
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        worker.signal(new Signal.Guarded(null));
        worker.written();
        assertThat(worker.signal(new Signal.SessionEnded())).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("the licence was lost before the call"));
    }

    @Test
    void aSessionThatEndsWithoutALicenceChangesNothing() {
        Worker worker = new Worker();
        worker.begin(null);
        assertThat(worker.signal(new Signal.SessionEnded())).isSameAs(Worker.NOTHING);
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }

    @Test
    void withoutALicenceThereIsNothingToGiveBack() {
        Worker worker = new Worker();
        worker.begin(null);
        assertThat(worker.signal(new Signal.Leaving())).isSameAs(Worker.NOTHING);
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }

    @Test
    void ofACommandThatWasTakenBackOnlyTheWordOfItsChangeTells() {
        Worker worker = new Worker(Worker.cancel());
        worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(shows("3100", "v1.33.0", true));
        worker.now = Limits.TARGET + 1;
        worker.signal(shows("3100", null, true));
        worker.signal(new Signal.Undone());
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.NOT_AT_TARGET,
                        "change 7 is done, the node shows revision 3100"));
    }

    @Test
    void aMemberThatShowsNothingAndWhoseChangeNobodyKnowsIsAskedWithoutOne() {
        Worker worker = new Worker(Worker.command(MachineRole.CONTROL_PLANE, Worker.TARGET, "1.33.0", null));
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(shows(null, "v1.33.0", true))).isEqualTo(new Act.Poll("0"));
    }
}
