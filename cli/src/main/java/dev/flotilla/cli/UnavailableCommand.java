package dev.flotilla.cli;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for a command whose libraries are not on the class path, and says where it can be run. */
@Command
final class UnavailableCommand implements Callable<Integer> {
    private final String name;
    private final Terminal terminal;

    @Unmatched
    private List<String> given = new ArrayList<>();

    private UnavailableCommand(String name, Terminal terminal) {
        this.name = name;
        this.terminal = terminal;
    }

    static CommandLine of(String name, Terminal terminal) {
        CommandLine command = new CommandLine(new UnavailableCommand(name, terminal));
        command.getCommandSpec().name(name).usageMessage().hidden(true).description("Is not in this image.");
        return command;
    }

    @Override
    public Integer call() {
        given.addFirst(name);
        terminal.note("flotilla " + String.join(" ", given) + ": this image does not contain the command. The image of"
                + " deploy/Containerfile and ./flotilla in the source tree have all commands; deploy/images has an image"
                + " for each process and one for operators.");
        return ExitCode.USAGE;
    }
}
