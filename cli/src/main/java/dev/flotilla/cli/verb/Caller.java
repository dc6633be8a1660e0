package dev.flotilla.cli.verb;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.NameValidator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A verb that was called, as it speaks of itself on stderr. Options that many verbs share have one each. */
public interface Caller {
    /** Null before the command line was parsed. */
    @Nullable
    CommandSpec verb();

    /** The words with which the verb was called. */
    default String name() {
        CommandSpec verb = verb();
        return verb == null ? "flotilla" : verb.qualifiedName();
    }

    /** Tells that it was called or set wrongly. */
    default int wrong(Terminal terminal, List<String> problems) {
        problems.forEach(problem -> terminal.note(name() + ": " + problem));
        terminal.note("See " + name() + " --help");
        return Exit.USAGE;
    }

    /** Tells why the answer is no. */
    default int no(Terminal terminal, String why) {
        terminal.note(name() + ": " + why);
        return Exit.NO;
    }

    /** Tells what cannot be asked, and why. */
    default int dark(Terminal terminal, String why) {
        terminal.note(name() + ": " + why);
        return Exit.UNREACHABLE;
    }

    /** What is wrong with a campaign's name as it was typed. */
    static List<String> problemsOfCampaign(String name) {
        String problem = NameValidator.problemOfOwnName(name);
        return problem == null ? List.of() : List.of("\"" + name + "\" is no name of a campaign: it " + problem);
    }

    /** What is said of a machine's name that is none. */
    static String noMachine(String text) {
        return "\"" + text + "\" is no machine: write <site>/<namespace>/<name>";
    }
}
