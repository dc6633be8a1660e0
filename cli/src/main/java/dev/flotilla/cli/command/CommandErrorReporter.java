package dev.flotilla.cli.command;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.NameValidator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints the errors of the command that was called, prefixed with its name. Option groups that commands share implement
 * it.
 */
public interface CommandErrorReporter {
    /** The called command; null before the command line is parsed. */
    @Nullable
    CommandSpec commandSpec();

    /** Full name of the called command, such as {@code flotilla campaign list}. */
    default String commandName() {
        CommandSpec verb = commandSpec();
        return verb == null ? "flotilla" : verb.qualifiedName();
    }

    /** Prints what is wrong with the arguments or settings. */
    default int reportUsageErrors(Terminal terminal, List<String> problems) {
        problems.forEach(problem -> terminal.note(commandName() + ": " + problem));
        terminal.note("See " + commandName() + " --help");
        return ExitCode.USAGE;
    }

    /** Prints why the answer is no. */
    default int reportNegativeAnswer(Terminal terminal, String why) {
        terminal.note(commandName() + ": " + why);
        return ExitCode.NO;
    }

    /** Prints what cannot be reached, and why. */
    default int reportUnreachable(Terminal terminal, String why) {
        terminal.note(commandName() + ": " + why);
        return ExitCode.UNREACHABLE;
    }

    /** Finds what is wrong with a campaign name as typed. */
    static List<String> campaignNameProblems(String name) {
        String problem = NameValidator.problemOfOwnName(name);
        return problem == null ? List.of() : List.of("\"" + name + "\" is not a campaign name: it " + problem);
    }

    /** Finds what is wrong with a site name as typed. */
    static List<String> siteNameProblems(String name) {
        String problem = NameValidator.problemOfOwnName(name);
        return problem == null ? List.of() : List.of("\"" + name + "\" is not a site name: it " + problem);
    }

    /** Describes a machine name that cannot be parsed. */
    static String invalidMachineName(String text) {
        return "\"" + text + "\" is not a machine name: write <site>/<namespace>/<name>";
    }
}
