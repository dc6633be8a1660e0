package dev.flotilla.cli;

import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** {@code flotilla bench}, as far as this module knows it: the launcher starts the benchmarks' own program. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures Flotilla against its limits. Names: core, kafka, worker, watcher, all.")
final class BenchCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "What to measure.")
    private List<String> names = List.of();

    @Unmatched
    private List<String> options = new ArrayList<>();

    private BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new BenchCommand(terminal));
        HelpExamples.set(command, "flotilla bench core", "flotilla bench core --json bench.json");
        return command;
    }

    @Override
    public Integer call() {
        terminal.note("flotilla bench: the benchmarks are a program of their own, which the launcher ./flotilla starts"
                + " from the source tree; asked for: " + names + options);
        return ExitCode.USAGE;
    }
}
