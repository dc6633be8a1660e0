package dev.flotilla.cli;

import dev.flotilla.cli.process.LogVariables;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.List;

/** Entry point of {@code flotilla}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.ofProcess();
        List<String> problems = LogVariables.apply(terminal.environment());
        problems.forEach(problem -> terminal.note("flotilla: " + problem));
        System.exit(problems.isEmpty() ? FlotillaCommandLine.run(terminal, args) : ExitCode.USAGE);
    }
}
