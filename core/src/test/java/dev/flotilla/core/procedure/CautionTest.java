package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.Worker.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import org.junit.jupiter.api.Test;

/** What a worker would do that is careless in one thing: each caution is what keeps it from that. */
class CautionTest {
    private static final Caution CALLS_AGAIN = new Caution() {
        @Override
        public boolean callsOnce() {
            return false;
        }
    };
    private static final Caution BLIND = new Caution() {
        @Override
        public boolean looksLive() {
            return false;
        }
    };
    private static final Caution BELIEVES = new Caution() {
        @Override
        public boolean asksForProof() {
            return false;
        }
    };
    private static final Caution DEAF = new Caution() {
        @Override
        public boolean obeysCancel() {
            return false;
        }
    };

    @Test
    void afterACallWithoutAnAnswerOneThatDoesNotCallOnceAsksForAnotherLicence() {
        Worker worker = new Worker(CALLS_AGAIN);
        worker.upToTheCall();
        assertThat(worker.signal(new Signal.Answered(new Answer.None("connection reset"))))
                .isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
        assertThat(new Worker(CALLS_AGAIN).begin(new AttemptReport.StepReached(AttemptStep.STARTING, null)))
                .isEqualTo(new Act.Inspect());
    }

    @Test
    void whoTakesUpALicenceAndDoesNotCallOnceReachesTheNodeAgain() {
        Worker worker = new Worker(CALLS_AGAIN);
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }

    @Test
    void oneThatDoesNotLookCallsWhateverIsForbidden() {
        Worker worker = new Worker(BLIND);
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(Worker.REACHED);
        assertThat(worker.signal(new Signal.Guarded("on hold")))
                .isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
        worker.written();
        assertThat(worker.signal(new Signal.Judged("2 other workers are away"))).isInstanceOf(Act.Call.class);
    }

    @Test
    void oneThatAsksForNoProofBelievesThatAChangeIsDone() {
        Worker worker = new Worker(BELIEVES);
        worker.upToTheChange();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        worker.signal(new Signal.Inspected(node("3000")));
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3000", "v1.33.0"));
    }

    @Test
    void oneThatObeysNoCancelGoesOn() {
        Worker worker = new Worker(DEAF);
        worker.begin(null);
        assertThat(worker.signal(new Signal.Commanded(Worker.cancel()))).isSameAs(Worker.NOTHING);
        assertThat(worker.signal(new Signal.Inspected(node("3000")))).isEqualTo(new Act.Reach());
    }
}
