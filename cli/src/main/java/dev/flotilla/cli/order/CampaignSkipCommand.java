package dev.flotilla.cli.order;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign skip}. */
@Command(
        name = "skip",
        mixinStandardHelpOptions = true,
        description = "Takes a machine out of a campaign. A running" + " upgrade of it finishes.")
public final class CampaignSkipCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "MACHINE", description = "Machine, as <site>/<namespace>/<name>.")
    private String machine = "";

    @Mixin
    private OrderOptions options = new OrderOptions();

    private CampaignSkipCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CampaignSkipCommand skip = new CampaignSkipCommand(terminal);
        CommandLine command = new CommandLine(skip);
        skip.options.addOutputTo(command);
        HelpExamples.set(
                command, "flotilla campaign skip k8s-1-33 east/fleet/k1-w-3 --reason 'its disk is being replaced'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(CommandErrorReporter.campaignNameProblems(name));
        MachineKey key = RecordKeyFormat.machine(machine);
        if (key == null) {
            problems.add(CommandErrorReporter.invalidMachineName(machine));
        }
        problems.addAll(options.waitOption().problems());
        return problems.isEmpty() && key != null
                ? options.connection().run(terminal, kafka -> submitOrder(kafka, key))
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int submitOrder(FleetKafkaClient kafka, MachineKey key) {
        CampaignName campaign = new CampaignName(name);
        OrderTargetCampaign found = OrderTargetCampaign.find(kafka, campaign);
        CampaignStatus status = found.status();
        if (status == null) {
            return options.reportNotApplied(terminal, "campaign " + name, found.notFoundMessage(name));
        }
        return options.submitOrder(
                kafka,
                terminal,
                new OperatorOrderKey.SkipMachine(campaign, key),
                OperatorOrder.OrderVerb.SKIP,
                status.uid(),
                "campaign " + name,
                "machine " + machine + " skipped");
    }
}
