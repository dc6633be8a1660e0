package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.ChangeResult;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.OrderAuthorOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
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
            "Deletes a campaign. If it is still running or paused, it is aborted first, and a reason is required.",
            "Exit codes: 0 deleted, 1 no such campaign or the order was rejected, 2 wrong usage, 3 no broker"
                    + " reachable or no"
                    + " answer from an orchestrator."
        })
public final class CampaignDeleteCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Reason for the abort, kept in the journal. Required if the campaign is not over.")
    private @Nullable String why;

    @Mixin
    private OrderAuthorOption requestedBy = new OrderAuthorOption();

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private WaitOption waitOption = new WaitOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private CampaignDeleteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignDeleteCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla campaign delete k8s-1-33",
                "flotilla campaign delete k8s-1-33 --reason 'wrong target'");
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
        // A paused campaign continues even if its row was removed from the topic.
        if (!known && (status == null || status.state().isOver())) {
            return print(ChangeResult.notApplied(
                    "campaign " + name,
                    "campaign " + name + " does not exist; `flotilla" + " campaign list` lists the campaigns"));
        }
        if (status != null && !status.state().isOver()) {
            if (why == null) {
                return connection.reportUsageErrors(
                        terminal,
                        List.of("campaign " + name + " is " + status.state().label()
                                + " and would be aborted: give a reason with --reason TEXT"));
            }
            ChangeResult aborted = abort(kafka, status, why);
            if (!aborted.isDone()) {
                return print(aborted);
            }
            if (!output.isJson()) {
                print(aborted);
            }
        }
        return print(waitOption.result(
                kafka.submit(new Tombstone(at), waitOption.duration()), "campaign " + name, "deleted"));
    }

    private int print(ChangeResult result) {
        return result.print(output, connection, terminal);
    }

    /** Aborts the campaign with an order, so that the journal has its author and reason. */
    private ChangeResult abort(FleetKafkaClient kafka, CampaignStatus status, String reason) {
        OperatorOrder order = new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(status.name()),
                UUID.randomUUID().toString(),
                requestedBy.author(),
                reason,
                status.uid(),
                OperatorOrder.OrderVerb.ABORT);
        return waitOption.result(kafka.submit(order, waitOption.duration()), "campaign " + name, "aborted");
    }
}
