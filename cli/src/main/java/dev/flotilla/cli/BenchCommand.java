package dev.flotilla.cli;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** {@code flotilla bench}: help and a pointer to the launcher, which runs the benchmarks as a separate program. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Runs benchmarks and compares each result with its floor and goal.",
            "Names: core, kafka, worker, watcher, cluster-api, all.",
            "Exit codes: 0 every result that gates meets its floor, 1 one does not, 2 wrong usage."
        })
final class BenchCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Benchmarks to run.")
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
        List<String> given = new ArrayList<>(names);
        given.addAll(options);
        terminal.note("flotilla bench " + String.join(" ", given)
                + ": the benchmarks are not part of this program; run ./flotilla bench in the source tree");
        return ExitCode.USAGE;
    }
}
