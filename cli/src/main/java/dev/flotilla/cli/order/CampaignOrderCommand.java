package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Caller;
import dev.flotilla.cli.verb.Examples;
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
    private final CampaignOrder order;
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The campaign.")
    private String name = "";

    @Mixin
    private OrderOptions options = new OrderOptions();

    private CampaignOrderCommand(CampaignOrder order, Terminal terminal) {
        this.order = order;
        this.terminal = terminal;
    }

    /** All of them, under their words. */
    public static void addTo(CommandLine group, Terminal terminal) {
        for (CampaignOrder order : CampaignOrder.values()) {
            CommandLine command = new CommandLine(new CampaignOrderCommand(order, terminal));
            command.getCommandSpec().name(order.word()).usageMessage().description(order.summary());
            Examples.set(
                    command,
                    "flotilla campaign " + order.word() + " spring --why 'change 4711'",
                    "flotilla campaign " + order.word() + " spring --why 'change 4711' --who alice --wait 60");
            group.addSubcommand(order.word(), command);
        }
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(Caller.problemsOfCampaign(name));
        problems.addAll(options.waiting().problems());
        return problems.isEmpty()
                ? options.connection().run(terminal, this::give)
                : options.connection().wrong(terminal, problems);
    }

    private int give(FleetKafka kafka) {
        CampaignName campaign = new CampaignName(name);
        OrderedCampaign found = OrderedCampaign.find(kafka, campaign);
        CampaignStatus status = found.status();
        if (status == null) {
            return options.connection().no(terminal, found.absent(name));
        }
        OperatorOrderKey key = order == CampaignOrder.RETRY ? new OperatorOrderKey.RetryQuarantined(campaign) : new OperatorOrderKey.SetCampaignState(campaign);
        return options.give(kafka, terminal, key, order.verb(), status.uid(), "campaign " + name, order.done());
    }
}
