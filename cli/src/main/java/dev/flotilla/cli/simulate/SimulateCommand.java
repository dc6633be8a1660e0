package dev.flotilla.cli.simulate;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla simulate}: chooses between the ways to simulate, and tells all that is wrong with the choice. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Plays Flotilla in virtual time: worlds with faults, broken cores, or a campaign on your fleet.",
        description = {
            "Five ways, one at a time:",
            "  --seeds   worlds with crashes and faults, all invariants checked at every step",
            "  --seed    the whole story of one such world",
            "  --broken  cores that are broken on purpose: each must be caught",
            "  --exhaustive  all that may happen in a small world, whatever comes first",
            "  --fleet   a campaign against a fleet that you describe: how long, and what waits",
            "Exit: 0 all held, 1 a violation, something stuck or a broken core that got away, 2 wrong usage or file."
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
                        + " --policy examples/policies/fleet.yaml --runs 50 --json plan.json");
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> problems = options.problems(json.problem());
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
