package dev.flotilla.cli.campaign;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.cli.verb.Examples;
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
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the campaigns and how far they are.")
public final class ListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new ListCommand(terminal));
        Examples.set(command, "flotilla campaign list", "flotilla campaign list --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::list);
    }

    private int list(FleetKafka kafka) {
        Snapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.settled(now);
        List<CampaignView> views = state.campaigns().values().stream()
                .map(campaign -> CampaignView.of(state, campaign, now))
                .toList();
        output.tell(
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
                                JsonText.list(
                                        views.stream().map(CampaignView::json).toList()))
                        .build());
        tables.undecided().stream()
                .filter(Campaign.class::isInstance)
                .map(Campaign.class::cast)
                .forEach(campaign -> terminal.note(connection.name() + ": campaign " + campaign.name()
                        + " is written, and no orchestrator has decided on it yet"));
        return Exit.DONE;
    }
}
