package dev.flotilla.cli.verb;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Answers for a verb that is not in this version. Takes any arguments, since what is wrong is none of them. */
@Command(mixinStandardHelpOptions = true)
final class LaterCommand implements Callable<Integer> {
    private final LaterVerb verb;
    private final Terminal terminal;

    @Unmatched
    private List<String> ignored = new ArrayList<>();

    private LaterCommand(LaterVerb verb, Terminal terminal) {
        this.verb = verb;
        this.terminal = terminal;
    }

    static CommandLine of(LaterVerb verb, Terminal terminal) {
        CommandLine command = new CommandLine(new LaterCommand(verb, terminal));
        command.getCommandSpec()
                .name(verb.name())
                .usageMessage()
                .description(verb.summary(), "Not in this version yet: it needs " + verb.waitsFor() + ".")
                .hidden(true);
        Examples.set(command, verb.example());
        return command;
    }

    @Override
    public Integer call() {
        terminal.note("flotilla " + verb.words() + ": not in this version yet, since it needs " + verb.waitsFor()
                + ". What there is: flotilla --help");
        return Exit.USAGE;
    }
}
