package dev.flotilla.cli.kafka;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --wait}, and how the orchestrator's answer is told. */
public final class WaitOption {
    private static final int MOST = 3_600;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            description = "Wait so long for the orchestrator's answer; 0 does not wait. Default: ${DEFAULT-VALUE}.")
    private int seconds = 15;

    public Duration duration() {
        return Duration.ofSeconds(seconds);
    }

    /** What is wrong with it. */
    public List<String> problems() {
        return seconds < 0 || seconds > MOST ? List.of("--wait " + seconds + ": must be from 0 to " + MOST) : List.of();
    }

    /**
     * Tells an answer.
     *
     * @param what was written, such as {@code campaign spring}
     * @param done what it means when it is taken, such as {@code paused}
     */
    public int printResult(
            SubmissionResult submissionResult,
            String what,
            String done,
            KafkaConnectionOption connection,
            Terminal terminal) {
        return switch (submissionResult) {
            case SubmissionResult.RowAccepted rowAccepted -> {
                terminal.out().println(what + ": " + done);
                yield ExitCode.DONE;
            }
            case SubmissionResult.WrittenWithoutWaiting writtenWithoutWaiting -> {
                terminal.out().println(what + ": written, not waited for");
                yield ExitCode.DONE;
            }
            case SubmissionResult.RowRejected rowRejected ->
                connection.reportNegativeAnswer(
                        terminal, what + " was refused: " + describeRejection(rowRejected.rejection()));
            case SubmissionResult.RowInvalid rowInvalid ->
                connection.reportUsageErrors(
                        terminal,
                        rowInvalid.defects().stream()
                                .map(why -> what + ": " + describeRejection(why))
                                .toList());
            case SubmissionResult.OrchestratorSilent orchestratorSilent -> {
                terminal.note(connection.name() + ": " + describeTimeout(what, orchestratorSilent.openTransaction()));
                yield ExitCode.UNREACHABLE;
            }
        };
    }

    /** Why nothing more is known. */
    public String describeTimeout(String what, @Nullable OpenTransaction behind) {
        if (behind != null) {
            return what + " is written, and waits: an open transaction of " + behind.describeProducer()
                    + " is before it in "
                    + behind.topic() + " (offset " + behind.firstOffset() + ")" + behind.describeTimeout()
                    + ". It counts when that has ended";
        }
        return what + " is written, and no orchestrator answered within " + seconds
                + " s; it counts as soon as one does. Check that an orchestrator runs and is ready, and `flotilla fleet"
                + " status`";
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
