package dev.flotilla.cli.campaign;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.CommandErrorReporter;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign delete}. */
@Command(
        name = "delete",
        aliases = "remove",
        mixinStandardHelpOptions = true,
        description = {
            "Deletes a campaign. One that is not over is aborted first, for which a reason is needed.",
            "Exit: 0 deleted, 1 there is none, or an order was refused, 2 wrong usage, 3 no broker or no orchestrator answers."
        })
public final class CampaignDeleteCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The campaign.")
    private String name = "";

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            description = "Why it is aborted; the journal keeps it. Needed for a campaign that is not over.")
    private @Nullable String why;

    @Option(names = "--who", paramLabel = "NAME", description = "Who orders it. Default: the user of this process.")
    private String who = System.getProperty("user.name", "unknown");

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private WaitOption waitOption = new WaitOption();

    private CampaignDeleteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignDeleteCommand(terminal));
        HelpExamples.set(
                command, "flotilla campaign delete spring", "flotilla campaign delete spring --why 'wrong target'");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(waitOption.problems());
        problems.addAll(CommandErrorReporter.campaignNameProblems(name));
        return problems.isEmpty()
                ? connection.run(terminal, this::delete)
                : connection.reportUsageErrors(terminal, problems);
    }

    private int delete(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.read(Table.CAMPAIGNS, Table.CAMPAIGN_STATUS);
        CampaignName campaign = new CampaignName(name);
        RowKey at = new RowKey(Table.CAMPAIGNS, campaign);
        boolean known = tables.undecidedRows().stream()
                        .anyMatch(rowChange -> rowChange.rowKey().equals(at))
                || tables.rows(Campaign.class).stream()
                        .anyMatch(row -> row.rowKey().equals(at));
        CampaignStatus status = tables.row(new RowKey(Table.CAMPAIGN_STATUS, campaign), CampaignStatus.class);
        // One that was paused goes on also where its row was taken out of the topic.
        if (!known && (status == null || status.state().isOver())) {
            return connection.reportNegativeAnswer(terminal, "there is no campaign " + name);
        }
        if (status != null && !status.state().isOver()) {
            int aborted = abort(kafka, status);
            if (aborted != ExitCode.DONE) {
                return aborted;
            }
        }
        return waitOption.printResult(
                kafka.submit(new Tombstone(at), waitOption.duration()),
                "campaign " + name,
                "deleted",
                connection,
                terminal);
    }

    /** Its end has a reason in the journal, and somebody who gave it. */
    private int abort(FleetKafkaClient kafka, CampaignStatus status) {
        if (why == null) {
            return connection.reportUsageErrors(
                    terminal,
                    List.of("campaign " + name + " is " + status.state().label()
                            + ", and to delete it aborts it: give a reason with --why TEXT"));
        }
        OperatorOrder order = new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(status.name()),
                UUID.randomUUID().toString(),
                who,
                why,
                status.uid(),
                OperatorOrder.OrderVerb.ABORT);
        return waitOption.printResult(
                kafka.submit(order, waitOption.duration()), "campaign " + name, "aborted", connection, terminal);
    }
}
