package dev.flotilla.cli.order;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign pause}, {@code resume}, {@code abort} and {@code retry}. */
@Command(mixinStandardHelpOptions = true)
public final class CampaignOrderCommand implements Callable<Integer> {
    private final CampaignOrderKind order;
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Mixin
    private OrderOptions options = new OrderOptions();

    private CampaignOrderCommand(CampaignOrderKind order, Terminal terminal) {
        this.order = order;
        this.terminal = terminal;
    }

    /** Adds one subcommand for each order. */
    public static void addTo(CommandLine group, Terminal terminal) {
        for (CampaignOrderKind order : CampaignOrderKind.values()) {
            CampaignOrderCommand orderCommand = new CampaignOrderCommand(order, terminal);
            CommandLine command = new CommandLine(orderCommand);
            orderCommand.options.addOutputTo(command);
            command.getCommandSpec().name(order.label()).usageMessage().description(order.summary());
            HelpExamples.set(
                    command,
                    "flotilla campaign " + order.label() + " k8s-1-33 --reason 'change 4711'",
                    "flotilla campaign " + order.label()
                            + " k8s-1-33 --reason 'change 4711' --requested-by alice --wait 60");
            group.addSubcommand(order.label(), command);
        }
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(CommandErrorReporter.campaignNameProblems(name));
        problems.addAll(options.waitOption().problems());
        return problems.isEmpty()
                ? options.connection().run(terminal, this::submitOrder)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int submitOrder(FleetKafkaClient kafka) {
        CampaignName campaign = new CampaignName(name);
        OrderTargetCampaign found = OrderTargetCampaign.find(kafka, campaign);
        CampaignStatus status = found.status();
        if (status == null) {
            return options.reportNotApplied(terminal, "campaign " + name, found.notFoundMessage(name));
        }
        OperatorOrderKey key = order == CampaignOrderKind.RETRY
                ? new OperatorOrderKey.RetryQuarantined(campaign)
                : new OperatorOrderKey.SetCampaignState(campaign);
        return options.submitOrder(
                kafka, terminal, key, order.verb(), status.uid(), "campaign " + name, order.doneText());
    }
}
