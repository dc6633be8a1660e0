package dev.flotilla.cli.simulate;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla simulate}: runs one of the kinds of simulation. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Simulates Flotilla in virtual time: worlds with faults, broken cores, or a campaign on a described"
                + " fleet.",
        description = {
            "Choose one kind:",
            "  --seeds       worlds with crashes and faults; all invariants are checked after every step",
            "  --seed        the transcript of one such world",
            "  --broken      cores that are broken on purpose: the invariants must catch each one",
            "  --exhaustive  all interleavings of a small model, up to a depth",
            "  --fleet       a campaign on a fleet that you describe: how long it takes, and what waits",
            "Exit codes: 0 all invariants held, 1 a violation, a stuck machine or a broken core that was not caught,"
                    + " 2 wrong usage"
                    + " or an invalid file."
        })
public final class SimulateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private SimulateOptions options = new SimulateOptions();

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    private SimulateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SimulateCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla simulate --seeds 1-200",
                "flotilla simulate --seed 7 --transcript",
                "flotilla simulate --broken",
                "flotilla simulate --exhaustive",
                "flotilla simulate --fleet examples/fleets/regional.yaml --campaign examples/campaigns/canary.yaml",
                "flotilla simulate --fleet examples/fleets/edge.yaml --campaign examples/campaigns/night.yaml"
                        + " --runs 50");
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> problems = options.problems(json.findProblem());
        if (!problems.isEmpty()) {
            problems.forEach(problem -> terminal.note("flotilla simulate: " + problem));
            terminal.note("See flotilla simulate --help");
            return ExitCode.USAGE;
        }
        return switch (options.mode()) {
            case SEEDS -> new SeedRangeRun(options.seeds(), json, terminal).call();
            case TRANSCRIPT -> new TranscriptRun(options.seed(), terminal).call();
            case BROKEN -> new BrokenCoresRun(json, terminal).call();
            case EXHAUSTIVE -> new ExhaustiveSearchRun(options.depth(), json, terminal).call();
            case FLEET -> new FleetForecastRun(options.files(), json, terminal).call();
        };
    }
}
