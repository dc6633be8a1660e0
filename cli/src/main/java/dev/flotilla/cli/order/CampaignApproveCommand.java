package dev.flotilla.cli.order;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign approve}. */
@Command(
        name = "approve",
        mixinStandardHelpOptions = true,
        description = {
            "Approves a wave of a campaign, or its overlap with an earlier campaign.",
            "An approval holds for the current content of the campaign; edit it, and waves need a new approval."
        })
public final class CampaignApproveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "WAVE",
            description = "Name of the wave. Default: the first one that waits for an approval.")
    private @Nullable String wave;

    @Option(
            names = "--overlap",
            description =
                    "Approve that the campaign upgrades machines that an earlier campaign still has to bring to another"
                            + " target.")
    private boolean submitOverlapApproval;

    @Mixin
    private OrderOptions options = new OrderOptions();

    private CampaignApproveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CampaignApproveCommand approve = new CampaignApproveCommand(terminal);
        CommandLine command = new CommandLine(approve);
        approve.options.addOutputTo(command);
        HelpExamples.set(
                command,
                "flotilla campaign approve k8s-1-33 --reason 'canary looked good for a day'",
                "flotilla campaign approve k8s-1-33 early --reason 'change 4711'",
                "flotilla campaign approve k8s-1-34 --overlap --reason 'k8s-1-33 can wait'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(CommandErrorReporter.campaignNameProblems(name));
        String problem = wave == null ? null : NameValidator.problemOfLabel(wave);
        if (problem != null) {
            problems.add("\"" + wave + "\" is not a wave name: it " + problem);
        }
        if (submitOverlapApproval && wave != null) {
            problems.add("--overlap approves the whole campaign, but \"" + wave + "\" names a wave: give only one of"
                    + " the two");
        }
        problems.addAll(options.waitOption().problems());
        return problems.isEmpty()
                ? options.connection().run(terminal, this::submitApproval)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int submitApproval(FleetKafkaClient kafka) {
        CampaignName campaign = new CampaignName(name);
        OrderTargetCampaign found = OrderTargetCampaign.find(kafka, campaign);
        CampaignStatus status = found.status();
        if (status == null) {
            return options.reportNotApplied(terminal, "campaign " + name, found.notFoundMessage(name));
        }
        if (submitOverlapApproval) {
            return submitOverlapApproval(kafka, campaign, status);
        }
        String which = wave == null ? found.firstUnapprovedWave() : wave;
        if (which == null) {
            return options.reportNotApplied(
                    terminal, "campaign " + name, "no wave of campaign " + name + " waits for an approval");
        }
        if (found.waves().stream().noneMatch(which::equals)) {
            return options.reportNotApplied(
                    terminal,
                    "campaign " + name,
                    "campaign " + name + " has no wave " + which + "; its waves are: "
                            + String.join(", ", found.waves()));
        }
        return options.approve(
                kafka,
                terminal,
                new OperatorOrderKey.ApproveWave(campaign, which),
                status,
                null,
                "wave " + which + " approved");
    }

    /** Approves the overlap with the earlier campaign only: an overlap with another one needs another approval. */
    private int submitOverlapApproval(FleetKafkaClient kafka, CampaignName campaign, CampaignStatus status) {
        CampaignStatus earlier = OrderTargetCampaign.overlappingCampaign(kafka, status);
        return earlier == null
                ? options.reportNotApplied(
                        terminal, "campaign " + name, "campaign " + name + " does not wait for an earlier campaign")
                : options.approve(
                        kafka,
                        terminal,
                        new OperatorOrderKey.ApproveOverlap(campaign),
                        status,
                        earlier.uid(),
                        "overlap with " + earlier.name() + " approved");
    }
}
