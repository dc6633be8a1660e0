package dev.flotilla.nodeworker.nodeupgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeUpgradeStatusClassifierTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String FRESH = "'lastHeartbeat': '2026-03-01T11:59:30Z'";

    private static KubeObject object(String status) {
        return SampleObjects.kube("{'kind': 'NodeUpgrade', 'metadata': {'name': 'm-1-ab-7', 'creationTimestamp':"
                + " '2026-03-01T11:59:00Z'}, 'status': {" + status + "}}");
    }

    private static ChangeStatus classify(String status) {
        return NodeUpgradeStatusClassifier.classify(object(status), NOW);
    }

    private static ChangeStatus failed(FailureClass failureClass, String text) {
        return new ChangeStatus.ChangeFailed(failureClass, FailureReason.NODE_UPGRADE_FAILED, text);
    }

    @Test
    void saysWhichStepRuns() {
        assertThat(classify("'phase': 'Running', " + FRESH + ", 'steps': [{'name': 'fetch', 'state': 'Succeeded'},"
                        + " {'name': 'upgrade', 'state': 'Running'}]"))
                .isEqualTo(new ChangeStatus.InProgress("NodeUpgrade m-1-ab-7 is Running at step upgrade"));
        assertThat(classify("'phase': 'Pending', " + FRESH))
                .isEqualTo(new ChangeStatus.InProgress("NodeUpgrade m-1-ab-7 is Pending"));
        assertThat(classify("")).isEqualTo(new ChangeStatus.InProgress("NodeUpgrade m-1-ab-7 has no status.phase yet"));
    }

    @Test
    void aSuccessIsDoneAndNotProven() {
        assertThat(classify("'phase': 'Succeeded'")).isEqualTo(new ChangeStatus.ChangeDone());
    }

    @Test
    void aFailureSaysWhereAndWhyAndWhetherToRetry() {
        String failure = "'phase': 'Failed', 'failureReason': 'StepFailed', 'failureMessage': 'no space left',"
                + " 'steps': [{'name': 'upgrade', 'state': 'Failed', 'exitCode': 3}]";
        String text = "NodeUpgrade m-1-ab-7 has failed at step upgrade (exit code 3): StepFailed: no space left";
        assertThat(classify(failure + ", 'retryable': false")).isEqualTo(failed(FailureClass.TERMINAL, text));
        assertThat(classify(failure + ", 'retryable': true")).isEqualTo(failed(FailureClass.RETRYABLE, text));
        assertThat(classify(failure)).isEqualTo(failed(FailureClass.RETRYABLE, text));
        assertThat(classify(failure + ", 'retryable': 'no'"))
                .isEqualTo(failed(
                        FailureClass.RETRYABLE,
                        text + "; status.retryable is no, which is not a boolean, and is taken for true"));
    }

    @Test
    void anAbortIsNoFailure() {
        assertThat(classify("'phase': 'Aborted', 'failureMessage': 'stopped before step restart', 'retryable': false"))
                .isEqualTo(new ChangeStatus.ChangeAborted(
                        "NodeUpgrade m-1-ab-7 was aborted: stopped before step restart"));
    }

    @Test
    void silenceIsNoProgress() {
        assertThat(classify("'phase': 'Running', 'lastHeartbeat': '2026-03-01T11:57:59Z'"))
                .isEqualTo(new ChangeStatus.StatusUnavailable("NodeUpgrade m-1-ab-7 is Running, and its controller has"
                        + " written no heartbeat since 2026-03-01T11:57:59Z"));
        assertThat(NodeUpgradeStatusClassifier.classify(object(""), NOW.plusSeconds(61)))
                .isEqualTo(new ChangeStatus.StatusUnavailable("NodeUpgrade m-1-ab-7 has no status.phase yet, and its"
                        + " controller has written no heartbeat: is it running?"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'now'", "17", "true", "{}", "'2036-03-01T12:00:00Z'", "'2026-03-01T12:02:01Z'"})
    void aHeartbeatThatCannotBeOneIsNone(String heartbeat) {
        assertThat(classify("'phase': 'Running', 'lastHeartbeat': " + heartbeat))
                .isInstanceOf(ChangeStatus.StatusUnavailable.class)
                .asString()
                .contains("with status.lastHeartbeat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'succeeded'", "'Done'", "''", "17", "true", "[]", "{'phase': 'Succeeded'}", "'Succeeded '"})
    void aPhaseThatTheContractDoesNotHaveIsNoEnd(String phase) {
        assertThat(classify("'phase': " + phase + ", " + FRESH))
                .isInstanceOf(ChangeStatus.StatusUnavailable.class)
                .asString()
                .contains("which is none of Pending, Running, Succeeded, Failed and Aborted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'failureReason': 17, 'failureMessage': [], 'steps': 'none'",
                "'failureReason': '', 'failureMessage': {}, 'steps': [17, {'name': 3, 'state': 'Failed'}, {}]",
                "'steps': [{'name': 'x'}, {'state': 'Failed', 'exitCode': 'x'}]"
            })
    void aFailureIsOneWhateverItsOtherFieldsHold(String fields) {
        assertThat(classify("'phase': 'Failed', 'retryable': false, " + fields))
                .isEqualTo(failed(FailureClass.TERMINAL, "NodeUpgrade m-1-ab-7 has failed"));
    }

    @Test
    void aLongMessageIsCut() {
        ChangeStatus status = classify("'phase': 'Failed', 'failureMessage': '" + "x".repeat(5_000) + "'");
        assertThat(status)
                .isInstanceOfSatisfying(
                        ChangeStatus.ChangeFailed.class,
                        it -> assertThat(it.text()).hasSize(1_000));
    }

    @Test
    void evidenceHasTheObjectAndItsSteps() {
        assertThat(NodeUpgradeStatusClassifier.describe(object("'phase': 'Failed', 'failureReason': 'StepFailed',"
                        + " 'observedVersion': 'v1.36.2', 'steps': [{'name': 'fetch', 'state': 'Succeeded', 'exitCode': 0},"
                        + " {'name': 'upgrade', 'state': 'Failed', 'exitCode': 3}]")))
                .isEqualTo(List.of(
                        "NodeUpgrade m-1-ab-7: Failed: StepFailed, observed version v1.36.2, last heartbeat missing",
                        "step fetch: Succeeded, exit code 0",
                        "step upgrade: Failed, exit code 3"));
    }
}
