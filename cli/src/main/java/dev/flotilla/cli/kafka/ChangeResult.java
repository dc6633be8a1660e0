package dev.flotilla.cli.kafka;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of a change that a command asks for.
 *
 * @param object what it changes, such as {@code campaign spring}
 * @param change what the change does, such as {@code paused}; null if it was not written
 * @param problems why it is not in force; empty if it is, or if the answer was not waited for
 */
public record ChangeResult(
        String object, ChangeState state, @Nullable String change, List<String> problems, int exit) {
    public ChangeResult {
        problems = List.copyOf(problems);
    }

    /** How a change ended. */
    public enum ChangeState {
        /** The orchestrator has accepted it. */
        ACCEPTED("accepted"),
        /** It was in force before. */
        UNCHANGED("unchanged"),
        /** It is written; the answer was not waited for. */
        WRITTEN("written"),
        /** The orchestrator has rejected it, or it would be unreadable. */
        REJECTED("rejected"),
        /** Nothing was written. */
        NOT_APPLIED("not-applied"),
        /** It is written, and no orchestrator has decided on it in time. */
        SILENT("silent");

        private final String label;

        ChangeState(String label) {
            this.label = label;
        }
    }

    static ChangeResult accepted(String object, String change) {
        return new ChangeResult(object, ChangeState.ACCEPTED, change, List.of(), ExitCode.DONE);
    }

    static ChangeResult written(String object, String change) {
        return new ChangeResult(object, ChangeState.WRITTEN, change, List.of(), ExitCode.DONE);
    }

    static ChangeResult rejected(String object, String problem) {
        return new ChangeResult(object, ChangeState.REJECTED, null, List.of(problem), ExitCode.NO);
    }

    static ChangeResult unreadable(String object, List<String> problems) {
        return new ChangeResult(object, ChangeState.REJECTED, null, problems, ExitCode.USAGE);
    }

    static ChangeResult silent(String object, String change, String problem) {
        return new ChangeResult(object, ChangeState.SILENT, change, List.of(problem), ExitCode.UNREACHABLE);
    }

    /** The result of a change that is in force already. */
    public static ChangeResult unchanged(String object, String change) {
        return new ChangeResult(object, ChangeState.UNCHANGED, change, List.of(), ExitCode.DONE);
    }

    /** The result of a change that was not written, because it cannot take effect. */
    public static ChangeResult notApplied(String object, String problem) {
        return new ChangeResult(object, ChangeState.NOT_APPLIED, null, List.of(problem), ExitCode.NO);
    }

    /** Whether it is in force, or will be. */
    public boolean isDone() {
        return exit == ExitCode.DONE;
    }

    /** Prints it: the result to stdout, the problems to stderr. Returns the exit code. */
    public int print(OutputOption output, CommandErrorReporter reporter, Terminal terminal) {
        output.print(terminal, this::lines, this::json);
        if (exit == ExitCode.USAGE) {
            reporter.reportUsageErrors(terminal, problems);
        } else {
            problems.forEach(problem -> terminal.note(reporter.commandName() + ": " + problem));
        }
        return exit;
    }

    /** Lines for people: none if there are problems, which are errors. */
    private List<String> lines() {
        return switch (state) {
            case ACCEPTED -> List.of(object + ": " + change);
            case UNCHANGED -> List.of("unchanged: " + change);
            case WRITTEN -> List.of(object + ": written, answer not waited for");
            case REJECTED, NOT_APPLIED, SILENT -> List.of();
        };
    }

    private JsonValue json() {
        return new JsonObjectReader.Builder()
                .put("object", object)
                .put("result", state.label)
                .put("change", JsonFormatter.text(change))
                .put("reason", JsonFormatter.text(problems.isEmpty() ? null : String.join("; ", problems)))
                .build();
    }
}
