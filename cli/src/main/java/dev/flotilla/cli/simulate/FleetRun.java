package dev.flotilla.cli.simulate;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.simulator.run.SeedRange;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/** {@code simulate --fleet}. */
final class FleetRun {
    private final SimulateOptions.Files files;
    private final JsonTarget json;
    private final Terminal terminal;

    FleetRun(SimulateOptions.Files files, JsonTarget json, Terminal terminal) {
        this.files = files;
        this.json = json;
        this.terminal = terminal;
    }

    int call() throws InterruptedException {
        FleetInput input = new FleetInput(files);
        if (!input.problems().isEmpty()) {
            input.problems().forEach(terminal::note);
            return Exit.USAGE;
        }
        DescribedFleet fleet = new DescribedFleet(input.fleet());
        List<Campaign> campaigns = input.campaigns(Instant.now());
        int planned = files.runs();
        FleetRuns runs = play(input, fleet, campaigns, new SeedRange(1, planned));
        FleetRuns following = play(input, fleet, campaigns, new SeedRange(planned + 1L, 2L * planned));
        int machines = fleet.fleet().machines();
        int cap = input.policy().maxInFlight() == null
                ? machines
                : input.policy().maxInFlight().of(machines);
        FleetRuns.Run median = runs.percentile(50);
        long ideal =
                new RolloutIdeal(fleet.fleet(), fleet.times(median.seed()), median.result()).millis(campaigns, cap);
        FleetForecast forecast = new FleetForecast(fleet.fleet(), runs, following, cap, ideal, campaigns.size() > 1);
        PrintWriter out = json.human(terminal);
        forecast.lines().forEach(out::println);
        out.flush();
        String failed = json.write(forecast.json(), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return Exit.USAGE;
        }
        return forecast.violations().isEmpty() ? Exit.DONE : Exit.NO;
    }

    private FleetRuns play(FleetInput input, DescribedFleet fleet, List<Campaign> campaigns, SeedRange seeds)
            throws InterruptedException {
        ProgressLine progress = new ProgressLine(terminal, "runs", files.runs());
        FleetRuns runs =
                FleetRuns.play(fleet, input.fleet().failurePercent(), input.policy(), campaigns, seeds, progress::at);
        progress.end();
        return runs;
    }
}
