package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.file.ManifestFiles;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.simulator.rollout.CampaignForecast;
import dev.flotilla.simulator.rollout.CampaignForecaster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign plan}. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Forecasts what a campaign would do and how long it would take. Changes nothing.",
            "Reads the tables and plays the campaign in virtual time on the current fleet, with the decision code of"
                    + " the",
            "orchestrator. The forecast assumes that no upgrade fails, no site is silent, waves are approved at once and"
                    + " a preparation takes 10 minutes.",
            "Exit codes: 0 forecast printed, 1 the campaign would be rejected or needs --force, 2 wrong usage or an"
                    + " invalid"
                    + " file, 3 no broker reachable."
        })
public final class CampaignPlanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "YAML or JSON file; - reads stdin.")
    private String file = "";

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Number of runs, each with other upgrade durations. Default: ${DEFAULT-VALUE}.")
    private int runs = 10;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private CampaignPlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignPlanCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla campaign plan examples/campaigns/canary.yaml",
                "flotilla campaign plan --runs 50 --output json examples/campaigns/canary.yaml");
        return command;
    }

    @Override
    public Integer call() {
        ManifestFiles<Campaign> read = ManifestFiles.read(List.of(file), CampaignManifestReader::read);
        List<String> problems = new ArrayList<>(read.problems());
        if (runs < 1) {
            problems.add("--runs " + runs + " is too small: use at least 1");
        }
        return problems.isEmpty()
                ? connection.run(terminal, kafka -> plan(kafka, read.values().getFirst()))
                : connection.reportUsageErrors(terminal, problems);
    }

    private int plan(FleetKafkaClient kafka, Campaign campaign) {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        List<CampaignForecast> plays = new ArrayList<>();
        ProgressLine progress = new ProgressLine(terminal, "runs", runs);
        long learned = 0;
        for (long seed = 1; seed <= runs; seed++) {
            FleetState state = tables.forecastState();
            MeasuredUpgradeDurations times = new MeasuredUpgradeDurations(state, seed);
            learned = times.countUpgrades();
            CampaignForecast play = CampaignForecaster.forecast(state, now, campaign, times);
            if (play.rejected() != null) {
                progress.end();
                return reportRejected(play.rejected());
            }
            plays.add(play);
            progress.update(seed);
        }
        progress.end();
        ManifestReview manifestReview = ManifestReview.of(campaign, tables, kafka.sites());
        CampaignPlanReport campaignPlanReport =
                new CampaignPlanReport(campaign, now, learned, plays, manifestReview.all());
        output.print(terminal, campaignPlanReport::lines, campaignPlanReport::json);
        manifestReview.notes().forEach(note -> terminal.note("warning: " + note));
        return manifestReview.mistakes().isEmpty()
                ? ExitCode.DONE
                : connection.reportNegativeAnswer(
                        terminal,
                        String.join("; ", manifestReview.mistakes())
                                + ". `flotilla campaign apply` would need --force");
    }

    private int reportRejected(RejectedRecord why) {
        return connection.reportNegativeAnswer(
                terminal,
                "the campaign would be rejected (" + why.reason().label() + "):"
                        + " " + why.path() + " \"" + why.value() + "\": "
                        + why.problem());
    }
}
