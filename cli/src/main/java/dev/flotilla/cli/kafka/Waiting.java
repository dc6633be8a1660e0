package dev.flotilla.cli.kafka;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --wait}, and how the orchestrator's answer is told. */
public final class Waiting {
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
    public int tell(Answer answer, String what, String done, Connection connection, Terminal terminal) {
        return switch (answer) {
            case Answer.Taken taken -> {
                terminal.out().println(what + ": " + done);
                yield Exit.DONE;
            }
            case Answer.Written written -> {
                terminal.out().println(what + ": written, not waited for");
                yield Exit.DONE;
            }
            case Answer.Refused refused -> connection.no(terminal, what + " was refused: " + why(refused.why()));
            case Answer.Malformed malformed ->
                connection.wrong(
                        terminal,
                        malformed.why().stream()
                                .map(why -> what + ": " + why(why))
                                .toList());
            case Answer.Silent silent -> {
                terminal.note(connection.name() + ": " + silence(what, silent.behind()));
                yield Exit.UNREACHABLE;
            }
        };
    }

    /** Why nothing more is known. */
    public String silence(String what, @Nullable OpenTransaction behind) {
        if (behind != null) {
            return what + " is written, and waits: an open transaction of " + behind.describeProducer() + " is before it in "
                    + behind.topic() + " (offset " + behind.firstOffset() + ")" + behind.describeTimeout()
                    + ". It counts when that has ended";
        }
        return what + " is written, and no orchestrator answered within " + seconds
                + " s; it counts as soon as one does. Check that an orchestrator runs and is ready, and `flotilla fleet"
                + " status`";
    }

    public static String why(RejectedRecord why) {
        return (why.path().isEmpty() ? "" : why.path() + " ")
                + (why.value().isEmpty() ? "" : "\"" + why.value() + "\": ")
                + why.problem() + " (" + why.reason().label() + ")";
    }

    private static String why(RejectionDetail why) {
        return (why.path().isEmpty() ? "" : why.path() + " ")
                + (why.value().isEmpty() ? "" : "\"" + why.value() + "\": ")
                + why.problem()
                + (why.hint() == null ? "" : " (" + why.hint() + ")");
    }
}
