package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.Worker.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the checks around a call do to an attempt. */
class ChecksTest {
    private static final HealthCheck ALERTS = check("alerts", true);
    private static final HealthCheck QUIET = check("quiet", false);
    private static final HealthCheck APP = check("app", true);
    private static final Signal HOLD = new Signal.Checked(List.of());

    private final Worker worker =
            new Worker(Caution.GOOD, new CampaignChecks(null, List.of(ALERTS, QUIET), List.of(APP, QUIET)));

    private static HealthCheck check(String name, boolean blocking) {
        return new HealthCheck(name, new HealthCheck.PromQlProbe("x", "== 0"), blocking, Duration.ofSeconds(30), List.of());
    }

    private static Signal failing(HealthCheck... checks) {
        return new Signal.Checked(List.of(checks).stream()
                .map(check -> new Finding(check, "it is 3"))
                .toList());
    }

    private Act checkedBefore() {
        worker.begin(null);
        worker.signal(new Signal.Inspected(node("3000")));
        return worker.signal(new Signal.Reached(new Contact.Made()));
    }

    /** The change is done and the node proves it. */
    private Act proven() {
        checkedBefore();
        worker.signal(HOLD);
        worker.signal(new Signal.Guarded(null));
        worker.written();
        worker.signal(new Signal.Judged(null));
        worker.signal(new Signal.Answered(new Answer.Accepted("7")));
        worker.written();
        worker.signal(new Signal.Polled(new ChangeSight.Done()));
        return worker.signal(new Signal.Inspected(node("3100")));
    }

    @Test
    void areAskedBeforeAnythingIsTouched() {
        assertThat(checkedBefore()).isEqualTo(new Act.Ask(List.of(ALERTS, QUIET)));
        assertThat(worker.signal(HOLD)).isEqualTo(new Act.Guard());
    }

    @Test
    void oneThatDoesNotHoldKeepsTheMachineWaitingUntouched() {
        checkedBefore();
        worker.signal(failing(QUIET, ALERTS));
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("check alerts: it is 3"));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.acts).noneMatch(act -> act instanceof Act.Guard || act instanceof Act.Undo);
    }

    @Test
    void anAdvisoryOneStopsNothing() {
        checkedBefore();
        assertThat(worker.signal(failing(QUIET))).isEqualTo(new Act.Guard());
    }

    @Test
    void areAskedAgainAfterADrainThatTookLong() {
        checkedBefore();
        worker.signal(HOLD);
        worker.now = Limits.CHECKED + 1;
        assertThat(worker.signal(new Signal.Guarded(null))).isEqualTo(new Act.Ask(List.of(ALERTS, QUIET)));
        assertThat(worker.signal(HOLD)).isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
    }

    @Test
    void whatFailsAfterADrainGivesTheMachineBack() {
        checkedBefore();
        worker.signal(HOLD);
        worker.now = Limits.CHECKED + 1;
        worker.signal(new Signal.Guarded(null));
        assertThat(worker.signal(failing(ALERTS))).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Deferred("check alerts: it is 3"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void aCancelWhileTheyAreAskedEndsTheAttempt() {
        checkedBefore();
        worker.signal(new Signal.Commanded(Worker.cancel()));
        assertThat(worker.said()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.signal(HOLD)).isEqualTo(Worker.NOTHING);
    }

    @Test
    void confirmASuccessBesideTheNodesProof() {
        assertThat(proven()).isEqualTo(new Act.Ask(List.of(APP, QUIET)));
        assertThat(worker.signal(HOLD)).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0"));
    }

    @Test
    void areAskedAgainUntilTheyHold() {
        proven();
        assertThat(worker.signal(failing(APP))).isEqualTo(new Act.Rest(Pause.PROOF));
        assertThat(worker.signal(new Signal.Rested())).isEqualTo(new Act.Ask(List.of(APP, QUIET)));
        worker.now += 29_000;
        assertThat(worker.signal(failing(APP))).isEqualTo(new Act.Rest(Pause.PROOF));
        worker.signal(new Signal.Rested());
        assertThat(worker.signal(failing(QUIET))).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said()).isInstanceOf(AttemptReport.Succeeded.class);
    }

    @Test
    void oneThatDoesNotHoldInItsTimeFailsTheAttemptWithItsReason() {
        proven();
        worker.signal(failing(APP));
        worker.signal(new Signal.Rested());
        worker.now += 30_000;
        assertThat(worker.signal(failing(APP))).isEqualTo(new Act.Undo());
        worker.signal(new Signal.Undone());
        assertThat(worker.said())
                .isEqualTo(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.CHECK_FAILED, "check app: it is 3"));
    }

    @Test
    void theNextAttemptOnANodeAtItsTargetAsksThemToo() {
        worker.begin(null);
        assertThat(worker.signal(new Signal.Inspected(node("3100")))).isEqualTo(new Act.Ask(List.of(APP, QUIET)));
        worker.signal(HOLD);
        assertThat(worker.said()).isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void whoeverTakesOverAsksThemAgain() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.VERIFYING, "7"));
        assertThat(worker.signal(new Signal.Inspected(node("3100")))).isEqualTo(new Act.Ask(List.of(APP, QUIET)));
    }

    @Test
    void areNotAskedAgainAfterADrainThatTookNoLongerThanTheyCount() {
        worker.now = 40_000;
        checkedBefore();
        worker.signal(HOLD);
        worker.now += Limits.CHECKED;
        assertThat(worker.signal(new Signal.Guarded(null)))
                .isEqualTo(new Act.Say(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
    }
}
