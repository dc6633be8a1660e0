package dev.flotilla.cli.campaign;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.file.ManifestFiles;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.ProgressLine;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.json.file.CampaignFileReader;
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
            "Tells what a campaign would do and how long it would take, and changes nothing.",
            "It reads the tables and plays the campaign on the fleet as it stands, beside all that is under way, with the",
            "brain that decides in earnest. Nothing fails there, every site is heard, and waves are approved at once.",
            "Exit: 0 told, 1 it would be refused, also without --force, 2 the file is wrong, 3 no broker answers."
        })
public final class CampaignPlanCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "YAML or JSON; - is stdin.")
    private String file = "";

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often it is played, each time with other durations. Default: ${DEFAULT-VALUE}.")
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
        ManifestFiles<Campaign> read = ManifestFiles.read(List.of(file), CampaignFileReader::read);
        List<String> problems = new ArrayList<>(read.problems());
        if (runs < 1) {
            problems.add("--runs " + runs + ": at least 1");
        }
        return problems.isEmpty()
                ? connection.run(terminal, kafka -> plan(kafka, read.values().getFirst()))
                : connection.reportUsageErrors(terminal, problems);
    }

    private int plan(FleetKafkaClient kafka, Campaign campaign) {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        List<CampaignForecast> plays = new ArrayList<>();
        ProgressLine progress = new ProgressLine(terminal, "plays", runs);
        long learned = 0;
        for (long seed = 1; seed <= runs; seed++) {
            FleetState state = tables.state();
            MeasuredUpgradeDurations times = new MeasuredUpgradeDurations(state, seed);
            learned = times.learned();
            CampaignForecast play = CampaignForecaster.forecast(state, now, campaign, times);
            if (play.rejected() != null) {
                progress.end();
                return refused(play.rejected());
            }
            plays.add(play);
            progress.update(seed);
        }
        progress.end();
        ManifestReview manifestReview = ManifestReview.of(campaign, tables, kafka.sites());
        CampaignPlanReport campaignPlanReport =
                new CampaignPlanReport(campaign, now, learned, plays, manifestReview.all());
        output.print(terminal, campaignPlanReport::lines, campaignPlanReport::json);
        manifestReview.notes().forEach(says -> terminal.note("warning: " + says));
        return manifestReview.mistakes().isEmpty()
                ? ExitCode.DONE
                : connection.reportNegativeAnswer(
                        terminal,
                        String.join("; ", manifestReview.mistakes())
                                + ". `flotilla campaign apply` wants --force for it");
    }

    private int refused(RejectedRecord why) {
        return connection.reportNegativeAnswer(
                terminal,
                "it would be refused (" + why.reason().label() + "): " + why.path() + " \"" + why.value() + "\": "
                        + why.problem());
    }
}
