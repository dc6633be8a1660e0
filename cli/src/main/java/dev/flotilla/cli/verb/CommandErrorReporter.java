package dev.flotilla.cli.verb;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.NameValidator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A verb that was called, as it speaks of itself on stderr. Options that many verbs share have one each. */
public interface CommandErrorReporter {
    /** Null before the command line was parsed. */
    @Nullable
    CommandSpec commandSpec();

    /** The words with which the verb was called. */
    default String name() {
        CommandSpec verb = commandSpec();
        return verb == null ? "flotilla" : verb.qualifiedName();
    }

    /** Tells that it was called or set wrongly. */
    default int reportUsageErrors(Terminal terminal, List<String> problems) {
        problems.forEach(problem -> terminal.note(name() + ": " + problem));
        terminal.note("See " + name() + " --help");
        return ExitCode.USAGE;
    }

    /** Tells why the answer is no. */
    default int reportNegativeAnswer(Terminal terminal, String why) {
        terminal.note(name() + ": " + why);
        return ExitCode.NO;
    }

    /** Tells what cannot be asked, and why. */
    default int reportUnreachable(Terminal terminal, String why) {
        terminal.note(name() + ": " + why);
        return ExitCode.UNREACHABLE;
    }

    /** What is wrong with a campaign's name as it was typed. */
    static List<String> campaignNameProblems(String name) {
        String problem = NameValidator.problemOfOwnName(name);
        return problem == null ? List.of() : List.of("\"" + name + "\" is no name of a campaign: it " + problem);
    }

    /** What is said of a machine's name that is none. */
    static String invalidMachineName(String text) {
        return "\"" + text + "\" is no machine: write <site>/<namespace>/<name>";
    }
}
