package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.Campaign;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla campaign list}. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists campaigns with state and progress.")
public final class CampaignListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private CampaignListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignListCommand(terminal));
        HelpExamples.set(command, "flotilla campaign list", "flotilla campaign list --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::list);
    }

    private int list(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.recountedState(now);
        List<CampaignProgressView> views = state.campaigns().values().stream()
                .map(campaign -> CampaignProgressView.of(state, campaign, now))
                .toList();
        output.print(
                terminal,
                () -> {
                    TextTable table = new TextTable(
                            "NAME", "STATE", "TARGET", "DONE", "IN FLIGHT", "REMAINING", "MACHINES", "WHY");
                    views.forEach(view -> table.row(view.cells()));
                    return table.lines();
                },
                () -> new JsonObjectReader.Builder()
                        .put(
                                "campaigns",
                                JsonFormatter.list(views.stream()
                                        .map(view -> view.json(now))
                                        .toList()))
                        .build());
        tables.undecidedRows().stream()
                .filter(Campaign.class::isInstance)
                .map(Campaign.class::cast)
                .forEach(campaign -> terminal.note(connection.commandName() + ": campaign " + campaign.name()
                        + " is written, but no orchestrator has decided on it yet"));
        return ExitCode.DONE;
    }
}
