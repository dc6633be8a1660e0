package dev.flotilla.cli.kafka;

import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --wait}; describes the orchestrator's answer. */
public final class WaitOption {
    private static final int MOST = 3_600;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Time to wait for the orchestrator's answer; 0 does not wait. Default: ${DEFAULT-VALUE}.")
    private int seconds = 15;

    public Duration duration() {
        return Duration.ofSeconds(seconds);
    }

    /** Finds problems of the value. */
    public List<String> problems() {
        return seconds < 0 || seconds > MOST
                ? List.of("--wait " + seconds + " is out of range: use 0 to" + " " + MOST)
                : List.of();
    }

    /**
     * Makes the result of a change from the answer.
     *
     * @param object what was written, such as {@code campaign spring}
     * @param change what the change does, such as {@code paused}
     */
    public ChangeResult result(SubmissionResult submissionResult, String object, String change) {
        return switch (submissionResult) {
            case SubmissionResult.RowAccepted rowAccepted -> ChangeResult.accepted(object, change);
            case SubmissionResult.WrittenWithoutWaiting writtenWithoutWaiting -> ChangeResult.written(object, change);
            case SubmissionResult.RowRejected rowRejected ->
                ChangeResult.rejected(object, object + " was rejected: " + describeRejection(rowRejected.rejection()));
            case SubmissionResult.RowInvalid rowInvalid ->
                ChangeResult.unreadable(
                        object,
                        rowInvalid.defects().stream()
                                .map(why -> object + ": " + describeRejection(why))
                                .toList());
            case SubmissionResult.OrchestratorSilent orchestratorSilent ->
                ChangeResult.silent(object, change, describeTimeout(object, orchestratorSilent.openTransaction()));
        };
    }

    /** Describes why there is no answer yet. */
    public String describeTimeout(String what, @Nullable OpenTransaction behind) {
        if (behind != null) {
            return what + " is written but blocked: an open transaction of " + behind.describeProducer()
                    + " is before it in "
                    + behind.topic() + " (offset " + behind.firstOffset() + ")" + behind.describeTimeout()
                    + ". It takes effect when that transaction has ended";
        }
        return what + " is written, but no orchestrator answered within " + seconds
                + " s. It takes effect as soon as one does. Check that an orchestrator runs and is ready, and see"
                + " `flotilla fleet status`";
    }

    public static String describeRejection(RejectedRecord why) {
        return (why.path().isEmpty() ? "" : why.path() + " ")
                + (why.value().isEmpty() ? "" : "\"" + why.value() + "\": ")
                + why.problem() + " (" + why.reason().label() + ")";
    }

    private static String describeRejection(RejectionDetail why) {
        return (why.path().isEmpty() ? "" : why.path() + " ")
                + (why.value().isEmpty() ? "" : "\"" + why.value() + "\": ")
                + why.problem()
                + (why.hint() == null ? "" : " (" + why.hint() + ")");
    }
}
