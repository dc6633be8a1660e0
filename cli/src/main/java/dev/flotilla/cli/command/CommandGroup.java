package dev.flotilla.cli.command;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command that only has subcommands. Called alone, it prints its help. */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
public final class CommandGroup implements Callable<Integer> {
    private final Terminal terminal;
    private CommandLine self = new CommandLine(this);

    private CommandGroup(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Makes a group without subcommands. */
    public static CommandLine of(String name, String summary, Terminal terminal) {
        CommandLine command = new CommandGroup(terminal).self;
        command.getCommandSpec().name(name).usageMessage().description(summary);
        return command;
    }

    @Override
    public Integer call() {
        self.usage(terminal.out(), self.getColorScheme());
        terminal.out().flush();
        return ExitCode.DONE;
    }
}
