package dev.flotilla.cli;

import dev.flotilla.cli.terminal.Terminal;
import java.util.function.Function;
import picocli.CommandLine;

/** Adds commands whose libraries the class path may lack, and in place of such a command one that says so. */
record OptionalCommands(CommandLine root, Terminal terminal, ClassLoader classPath) {

    /** Adds a command. Its class must not be initialized without its library. */
    void add(String name, CommandLibrary library, Function<Terminal, CommandLine> command) {
        root.addSubcommand(
                name, library.isPresent(classPath) ? command.apply(terminal) : UnavailableCommand.of(name, terminal));
    }

    /** Whether the command of an example can be run. */
    boolean isOffered(String example) {
        CommandLine command = root.getSubcommands().get(example.split(" ", -1)[1]);
        return command != null && !command.getCommandSpec().usageMessage().hidden();
    }
}
