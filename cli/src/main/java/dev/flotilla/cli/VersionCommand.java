package dev.flotilla.cli;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.process.BuildVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code flotilla version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
    private final Terminal terminal;

    private VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new VersionCommand(terminal));
        HelpExamples.set(command, "flotilla version");
        return command;
    }

    @Override
    public Integer call() {
        terminal.out().println("flotilla " + BuildVersion.number());
        terminal.out()
                .println("java " + Runtime.version() + ", " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch"));
        return ExitCode.DONE;
    }
}
