package dev.flotilla.cli.simulate;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.simulator.rollout.MakespanBound;
import dev.flotilla.simulator.run.SeedRange;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;

/** {@code simulate --fleet}. */
final class FleetForecastRun {
    private final SimulateOptions.FleetSimulationFiles fleetSimulationFiles;
    private final JsonFileOption json;
    private final Terminal terminal;

    FleetForecastRun(
            SimulateOptions.FleetSimulationFiles fleetSimulationFiles, JsonFileOption json, Terminal terminal) {
        this.fleetSimulationFiles = fleetSimulationFiles;
        this.json = json;
        this.terminal = terminal;
    }

    int call() throws InterruptedException {
        FleetSimulationInput input = new FleetSimulationInput(fleetSimulationFiles);
        if (!input.problems().isEmpty()) {
            input.problems().forEach(terminal::note);
            return ExitCode.USAGE;
        }
        DescribedFleetBuilder fleet = new DescribedFleetBuilder(input.fleet());
        List<Campaign> campaigns = input.campaigns(Instant.now());
        int planned = fleetSimulationFiles.runs();
        FleetSimulationBatch runs = play(input, fleet, campaigns, new SeedRange(1, planned));
        FleetSimulationBatch following = play(input, fleet, campaigns, new SeedRange(planned + 1L, 2L * planned));
        int machines = fleet.fleet().machines();
        int cap = input.policy().maxInFlight() == null
                ? machines
                : input.policy().maxInFlight().of(machines);
        FleetSimulationBatch.SeededRollout median = runs.percentile(50);
        CampaignWorkBuilder work = new CampaignWorkBuilder(fleet.fleet(), fleet.times(median.seed()), median.result());
        long bound = MakespanBound.campaignsMillis(
                campaigns.stream().map(campaign -> work.build(campaign, cap)).toList(), cap);
        FleetForecastReport forecast =
                new FleetForecastReport(fleet.fleet(), runs, following, cap, bound, campaigns.size() > 1);
        PrintWriter out = json.humanOutput(terminal);
        forecast.lines().forEach(out::println);
        out.flush();
        String failed = json.write(forecast.json(), terminal);
        if (failed != null) {
            terminal.note("flotilla simulate: " + failed);
            return ExitCode.USAGE;
        }
        return forecast.violations().isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }

    private FleetSimulationBatch play(
            FleetSimulationInput input, DescribedFleetBuilder fleet, List<Campaign> campaigns, SeedRange seeds)
            throws InterruptedException {
        ProgressLine progress = new ProgressLine(terminal, "runs", fleetSimulationFiles.runs());
        FleetSimulationBatch runs = FleetSimulationBatch.play(
                fleet, input.fleet().failurePercent(), input.policy(), campaigns, seeds, progress::update);
        progress.end();
        return runs;
    }
}
